import { cellsOf } from '../src/domain/domain.js';
import type { Table } from '../src/domain/table.js';
import { supportOf } from '../src/model/support/support.js';
import { sampleMarginals } from '../src/query/workload/sample-marginals.js';
import type { Workload } from '../src/query/workload/workload.js';
import type { Random } from '../src/random/random.js';
import { seeded } from '../src/random/seeded.js';
import { uniform, uniformInteger } from '../src/random/uniform.js';
import { dataFolder, loadCodes } from './data/load-codes.js';
import { rowsAt } from './data/pick-rows.js';
import type { Experiment } from './experiment.js';
import { inWorkers } from './parallel.js';
import {
  type Extent,
  fullExtent,
  type LaboratoryOutcome,
  openLaboratory,
  planFor,
  quickExtent,
  tuneRounds,
} from './pmw-pub/laboratory.js';
import { type Spread, spreadOf } from './spread.js';

/*
 * PMW-Pub, figure 7: ADULT, three-way marginals, 256 workloads; private and public tables are samples with replacement of 0.9 N and
 * 0.1 N rows, the public one with females drawn with probability r + bias. Largest error of a cell, mean and standard error of
 * 5 runs (each with its own samples and noise); the number of rounds tuned on samples of their own.
 */
const attributes = [
  'sex',
  'income>50K',
  'race',
  'relationship',
  'marital-status',
  'workclass',
  'occupation',
  'education-num',
  'native-country',
  'capital-gain',
  'capital-loss',
  'hours-per-week',
  'age_10',
];
const allBiases = [0, 0.2, -0.2, 0.45, 0.65];
/** Runs for each number of rounds that is tried. */
const tuningRuns = 1;

interface Job {
  readonly kind: 'tune' | 'run';
  readonly data: string;
  readonly bias: number;
  readonly seed: number;
  readonly extent: Extent;
  /** Rounds for each budget; not yet known when tuning. */
  readonly rounds: readonly number[];
}

interface Outcome extends LaboratoryOutcome {
  readonly uniform: readonly number[];
}

/** Rows with replacement: of the rarer sex with probability `share`, any row when it is undefined. */
const draw = (table: Table, rows: number, random: Random, bias?: number): Table => {
  const [sex] = table.columns;
  const groups: number[][] = [[], []];
  for (let row = 0; row < table.length; row++) groups[sex[row]].push(row);
  const [females, males] = groups[0].length < groups[1].length ? groups : [groups[1], groups[0]];
  const share = females.length / table.length + (bias ?? 0);
  return rowsAt(
    table,
    Uint32Array.from({ length: rows }, () => {
      const from = uniform(random) < share ? females : males;
      return from[uniformInteger(random, from.length)];
    }),
  );
};

const workloadOn = (table: Table): Workload => sampleMarginals(table.domain, 3, 256, seeded(256));

export const runJob = async ({ kind, data, bias, seed, extent, rounds }: Job): Promise<Outcome> => {
  const table = loadCodes(data, 'pmw-adult', attributes);
  const workload = workloadOn(table);
  const random = seeded(1000 * seed + (kind === 'tune' ? 500 : 0) + 1);
  const privateTable = draw(table, Math.round(0.9 * table.length), random);
  const support = supportOf(draw(table, Math.round(0.1 * table.length), random, bias));
  const laboratory = await openLaboratory(privateTable, workload);
  const plan = planFor(support, workload);
  try {
    if (kind === 'tune') {
      const tuned = await tuneRounds(laboratory, plan, extent, tuningRuns);
      return { rounds: tuned, pmw: [], exponential: [], uniform: [], direct: [], asIs: 0, mixture: 0, bound: 0 };
    }
    const level = { ...support, weights: support.weights.map(() => 1 / support.length) };
    const flat = { ...plan, support: level };
    const errors = {
      pmw: [] as number[],
      exponential: [] as number[],
      uniform: [] as number[],
      direct: [] as number[],
    };
    for (const [i, epsilon] of extent.epsilons.entries()) {
      const trial = { epsilon, rounds: rounds[i], seed: 100 * seed + i };
      errors.pmw.push((await laboratory.run(plan, trial)).largest);
      errors.exponential.push((await laboratory.run(plan, { ...trial, selection: 'exponential' })).largest);
      errors.uniform.push((await laboratory.run(flat, trial)).largest);
      errors.direct.push(await laboratory.direct(trial));
    }
    const { error, bound } = await laboratory.bestMixture(plan);
    const asIs = (await laboratory.errorsOf(plan, support.weights)).largest;
    return { rounds, ...errors, asIs, mixture: error, bound };
  } finally {
    laboratory.close();
  }
};

/** Mean and standard error. */
const show = ({ mean, deviation, runs }: Spread): string =>
  `${mean.toFixed(4)} ±${(deviation / Math.sqrt(runs)).toFixed(4)}`;

const experiment: Experiment = async ({ data, seeds = 5, quick = false, say }) => {
  const extent = quick ? quickExtent : fullExtent;
  const { epsilons } = extent;
  const biases = quick ? [0.2] : allBiases;
  const folder = dataFolder(data);
  const table = loadCodes(folder, 'pmw-adult', attributes);
  const tunings = biases.map((bias): Job => ({ kind: 'tune', data: folder, bias, seed: 1, extent, rounds: [] }));
  const tuned = await inWorkers<Job, Outcome>(import.meta.url, tunings, ({ bias }, { rounds }) =>
    say(`bias ${bias}: rounds ${rounds.join(', ')} for epsilon ${epsilons.join(', ')}`),
  );
  const jobs = biases.flatMap((bias, b) =>
    Array.from(
      { length: seeds },
      (_, i): Job => ({ kind: 'run', data: folder, bias, seed: i + 1, extent, rounds: tuned[b].rounds }),
    ),
  );
  const outcomes = await inWorkers<Job, Outcome>(import.meta.url, jobs, ({ bias, seed }, { pmw }, done) =>
    say(`${done}/${jobs.length} bias ${bias}, run ${seed}: ${pmw.map((error) => error.toFixed(4)).join(' ')}`),
  );
  const names = ['pmw', 'exponential', 'uniform', 'direct'] as const;
  const rows = biases.flatMap((bias, b) => {
    const own = outcomes.slice(b * seeds, (b + 1) * seeds);
    const floor = {
      asIs: spreadOf(own.map(({ asIs }) => asIs)),
      mixture: spreadOf(own.map(({ mixture }) => mixture)),
      bound: spreadOf(own.map(({ bound }) => bound)),
    };
    return epsilons.map((epsilon, i) => {
      const spread = (name: (typeof names)[number]) => spreadOf(own.map((outcome) => outcome[name][i]));
      const errors = { pmw: spread('pmw'), exponential: spread('exponential'), uniform: spread('uniform') };
      return { bias, epsilon, rounds: tuned[b].rounds[i], ...errors, direct: spread('direct'), ...floor };
    });
  });
  const domain = cellsOf(table.domain, attributes);
  const heading = [
    'bias',
    'epsilon',
    'T',
    'PMW-Pub',
    'exponential',
    'uniform start',
    'noisy cells',
    'as it is',
    'mixture',
  ];
  const lines = rows.map(({ bias, epsilon, rounds, pmw, exponential, uniform: level, direct, asIs, mixture }) => [
    `${bias}`,
    `${epsilon}`,
    `${rounds}`,
    ...[pmw, exponential, level, direct, asIs, mixture].map(show),
  ]);
  return {
    figures: { seeds, domain, rows },
    text: `Largest error of a cell of 256 three-way marginals, mean and standard error of ${seeds} runs; delta 1/n^2, replace-one.
PMW-Pub selects by permute-and-flip as the paper does; "exponential" is the same with the exponential mechanism. MWEM itself is
refused: the domain has ${domain.toExponential(2)} cells; "uniform start" is MWEM's start on the public support. "noisy cells" measures
every marginal at once. "mixture" is the best mixture error of the public rows, found without noise: a floor for PMW-Pub.
${[heading, ...lines].map((cells) => cells.map((cell, i) => cell.padEnd(i < 3 ? 9 : 17)).join('')).join('\n')}`,
  };
};

export default experiment;
