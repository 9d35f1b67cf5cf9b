import { sizesOf } from '../src/domain/domain.js';
import { estimateGraphical } from '../src/estimate/graphical/estimate.js';
import type { Fitted } from '../src/estimate/graphical/step.js';
import { reordered } from '../src/model/graphical/reordered.js';
import { answerFrom, attributesOf } from '../src/query/answer.js';
import type { Query } from '../src/query/query.js';
import { measureHdmm } from '../src/release/hdmm/hdmm.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { layOut } from './graphical/lay-out.js';
import { inWorkers } from './parallel.js';
import { workloadError } from './pgm-four/error.js';
import { loadFour, paperWorkload } from './pgm-four/tables.js';
import { withSession } from './pgm-four/with-session.js';
import { type Spread, spreadOf } from './spread.js';

const estimators = ['l1', 'l2'] as const;
type Estimator = (typeof estimators)[number];

interface Job {
  readonly data: string;
  readonly estimator: Estimator;
  readonly seed: number;
  readonly iterations: number;
}

interface Point {
  readonly iteration: number;
  /** Sum over answers of |expected - measured| / scale of the noise. */
  readonly l1: number;
  /** Half the sum of squares of the same in standard deviations. */
  readonly l2: number;
  /** The paper's workload error. */
  readonly error: number;
}

/** Iterations at which figures are kept: all at first, then fewer and fewer. */
const kept = (iteration: number): boolean =>
  iteration < 20 || iteration % 10 ** Math.floor(Math.log10(iteration / 2)) === 0;

/** One fit to what HDMM measures of adult at epsilon 1, looked at on the way: figure 3 of the Private-PGM paper. */
export const runJob = async ({ data, estimator, seed, iterations }: Job): Promise<Point[]> => {
  const table = loadFour('adult', data);
  const { domain } = table;
  const workload = paperWorkload('adult', domain);
  const measured = await withSession(table, { epsilon: 1 }, seed, (session) => measureHdmm(session, { workload }));
  // The number of records is public, and told without noise: nothing to fit.
  const measurements = measured.measurements.filter(({ noise }) => noise.kind !== 'none');
  const errorOf = workloadError(table, workload);
  // One marginal for each measured set: where its table stands in a fit, and in which order of attributes.
  const sets = measurements.map(({ query }) => attributesOf(query));
  const places = layOut(domain, sets);
  const figures = ({ marginals, total }: Fitted): Omit<Point, 'iteration'> => {
    const counts = sets.map((set, m) => {
      const { attributes, start, end } = places[m];
      const own = marginals.slice(start, end).map((share) => share * total);
      return reordered(own, attributes, sizesOf(domain, attributes), set);
    });
    let [l1, l2] = [0, 0];
    for (const [m, { query, values, noise }] of measurements.entries())
      answerFrom(query, domain, counts[m]).forEach((answer, i) => {
        const residual = (answer - values[i]) / noise.scale;
        l1 += Math.abs(residual);
        l2 += residual ** 2 / 4;
      });
    const at = (query: Query): Float64Array =>
      answerFrom(query, domain, counts[sets.findIndex((set) => set.join() === attributesOf(query).join())]);
    return { l1, l2, error: errorOf(at) };
  };
  const points: Point[] = [];
  await estimateGraphical(domain, measurements, {
    loss: estimator,
    total: table.length,
    until: 'converged',
    iterations,
    tolerance: 1e-5,
    threads: 1,
    onStep: async ({ iteration }, point) => {
      if (kept(iteration)) points.push({ iteration, ...figures(await point()) });
    },
  });
  return points;
};

interface Curve {
  readonly estimator: Estimator;
  readonly points: readonly Point[];
  readonly least: Spread;
  readonly last: Spread;
  readonly leastAt: number;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean curve over seeds: a run that has converged stays where it is. */
const curveOf = (estimator: Estimator, runs: readonly Point[][]): Curve => {
  const iterations = [...new Set(runs.flatMap((run) => run.map(({ iteration }) => iteration)))].sort((a, b) => a - b);
  const at = (run: readonly Point[], iteration: number): Point =>
    run.findLast((point) => point.iteration <= iteration) ?? run[0];
  const points = iterations.map((iteration) => {
    const own = runs.map((run) => at(run, iteration));
    return {
      iteration,
      l1: mean(own.map(({ l1 }) => l1)),
      l2: mean(own.map(({ l2 }) => l2)),
      error: mean(own.map(({ error }) => error)),
    };
  });
  const best = points.reduce((a, b) => (b.error < a.error ? b : a));
  return {
    estimator,
    points,
    least: spreadOf(runs.map((run) => Math.min(...run.map(({ error }) => error)))),
    last: spreadOf(runs.map((run) => run[run.length - 1].error)),
    leastAt: best.iteration,
  };
};

const experiment: Experiment = async ({ data, seeds, quick, say }) => {
  const folder = dataFolder(data);
  const runs = seeds ?? (quick ? 1 : 5);
  const iterations = quick ? 100 : 2000;
  const jobs = estimators.flatMap((estimator) =>
    Array.from({ length: runs }, (_, seed): Job => ({ data: folder, estimator, seed: seed + 1, iterations })),
  );
  const outcomes = await inWorkers<Job, Point[]>(import.meta.url, jobs, ({ estimator, seed }, points, done) =>
    say(`${done}/${jobs.length} ${estimator}, seed ${seed}: ${points[points.length - 1].iteration} iterations`),
  );
  const curves = estimators.map((estimator, e) => curveOf(estimator, outcomes.slice(e * runs, (e + 1) * runs)));
  const last = Math.max(...curves.map(({ points }) => points[points.length - 1].iteration));
  const shown = [0, 1, 2, 5, 10, 20, 50, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000].filter(
    (iteration) => iteration <= last,
  );
  const figure = (curve: Curve, iteration: number): string[] => {
    const { l1, l2, error } = curve.points.findLast((point) => point.iteration <= iteration)!;
    return [l1.toFixed(0), l2.toFixed(0), error.toFixed(4)];
  };
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell) => cell.padEnd(13))
      .join('')
      .trimEnd();
  return {
    figures: { epsilon: 1, seeds: runs, curves },
    text: [
      'Figure 3 of Private-PGM: minimising absolute (L1) or squared (L2) residuals of the same Laplace-noisy answers, iteration by iteration.',
      'adult, epsilon 1, replace-one, what HDMM measures for the workload of figure 1, mirror descent with momentum;',
      `corners of L1 are rounded first and sharpened as it converges. Means over ${runs} seeds; the error is that of figure 1.`,
      '',
      line(['iteration', ...estimators.flatMap((name) => [`${name}: L1 loss`, 'L2 loss', 'error'])]),
      ...shown.map((iteration) => line([`${iteration}`, ...curves.flatMap((curve) => figure(curve, iteration))])),
      '',
      ...curves.map(
        ({ estimator, least, last, leastAt }) =>
          `${estimator}: least error ${least.mean.toFixed(4)} (mean curve: at iteration ${leastAt}), at the end ${last.mean.toFixed(4)}`,
      ),
    ].join('\n'),
  };
};

export default experiment;
