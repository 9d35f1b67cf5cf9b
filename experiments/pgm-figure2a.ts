import { estimateGraphical } from '../src/estimate/graphical/estimate.js';
import { estimateLls } from '../src/estimate/local/estimate-lls.js';
import { seeded } from '../src/random/seeded.js';
import { measureHdmm } from '../src/release/hdmm/hdmm.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { type Answers, workloadError } from './pgm-four/error.js';
import { loadFour, paperWorkload } from './pgm-four/tables.js';
import { withSession } from './pgm-four/with-session.js';
import { inWorkersResuming } from './resume.js';
import { showSpread, spreadOf } from './spread.js';

const epsilons = [0.3, 1, 3, 10];
const estimators = ['lls', 'converged', 'validated'] as const;

interface Job {
  readonly data: string;
  readonly epsilon: number;
  readonly seed: number;
  readonly iterations: number;
}

/** Errors of one estimator: on the workload, and on what was measured. */
interface Errors {
  readonly workload: number;
  readonly measurements: number;
}

type Outcome = Record<(typeof estimators)[number], Errors>;

/** HDMM's measurements of adult for the paper's workload at one budget, estimated three ways: figure 2a of the Private-PGM paper. */
export const runJob = async ({ data, epsilon, seed, iterations }: Job): Promise<Outcome> => {
  const table = loadFour('adult', data);
  const { domain } = table;
  const workload = paperWorkload('adult', domain);
  const { plan, measurements } = await withSession(table, { epsilon }, seed, (session) =>
    measureHdmm(session, { workload }),
  );
  const onWorkload = workloadError(table, workload);
  const onMeasured = workloadError(table, { queries: plan.queries.map((query) => ({ query, weight: 1 })) });
  const errorsOf = (answers: Answers): Errors => ({
    workload: onWorkload(answers),
    measurements: onMeasured(answers),
  });
  const common = { total: table.length, random: seeded(seed), threads: 1 };
  const converged = { ...common, algorithm: 'momentum', until: 'converged', iterations } as const;
  return {
    lls: errorsOf(estimateLls(domain, measurements, { joint: plan.template === 'marginals' }).answer),
    converged: errorsOf((await estimateGraphical(domain, measurements, converged)).model.answer),
    validated: errorsOf(
      (await estimateGraphical(domain, measurements, { ...common, until: 'validated' })).model.answer,
    ),
  };
};

const experiment: Experiment = async ({ data, seeds, quick, say }) => {
  const folder = dataFolder(data);
  const runs = seeds ?? (quick ? 1 : 5);
  const budgets = quick ? [1] : epsilons;
  const jobs = budgets.flatMap((epsilon) =>
    Array.from(
      { length: runs },
      (_, i): Job => ({ data: folder, epsilon, seed: i + 1, iterations: quick ? 200 : 10_000 }),
    ),
  );
  const outcomes = await inWorkersResuming<Job, Outcome>(
    'pgm-figure2a',
    import.meta.url,
    jobs,
    say,
    ({ epsilon, seed }, outcome) =>
      `epsilon ${epsilon}, run ${seed}: ${estimators.map((name) => outcome[name].workload.toFixed(4)).join(', ')}`,
  );
  const rows = budgets.map((epsilon, b) => {
    const own = outcomes.slice(b * runs, (b + 1) * runs);
    const of = (name: (typeof estimators)[number]) => ({
      workload: spreadOf(own.map((outcome) => outcome[name].workload)),
      measurements: spreadOf(own.map((outcome) => outcome[name].measurements)),
    });
    return { epsilon, lls: of('lls'), converged: of('converged'), validated: of('validated') };
  });
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(i === 0 ? 9 : 18))
      .join('')
      .trimEnd();
  return {
    figures: { seeds: runs, rows },
    text: [
      'Figure 2a of Private-PGM: HDMM on adult, replace-one with n public, Laplace noise; errors (mean and deviation) on the workload and on what was measured,',
      'by local least squares and by a graphical model run to convergence and stopped by validation.',
      '',
      line(['epsilon', ...['workload:', 'measured:'].flatMap((what) => [`${what} lls`, 'converged', 'validated'])]),
      ...rows.map((row) =>
        line([
          `${row.epsilon}`,
          ...(['workload', 'measurements'] as const).flatMap((what) =>
            estimators.map((name) => showSpread(row[name][what])),
          ),
        ]),
      ),
    ].join('\n'),
  };
};

export default experiment;
