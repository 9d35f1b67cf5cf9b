import { cellsOf } from '../src/domain/domain.js';
import { supportOf } from '../src/model/support/support.js';
import { dataFolder, loadCodes } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { inWorkers } from './parallel.js';
import { adultAttributes, adultTables } from './pmw-pub/adult-tables.js';
import type { AdultUniformJob, AdultUniformOutcome } from './pmw-pub/adult-uniform.js';
import {
  type Baseline,
  type BaselineJob,
  type BaselineResult,
  baselinesOf,
  keptPart,
  partToRun,
} from './pmw-pub/baselines.js';
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
 * 5 runs (each with its own samples and noise); every mechanism's parameter tuned on samples of their own.
 */
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

export const runJob = async ({ kind, data, bias, seed, extent, rounds }: Job): Promise<LaboratoryOutcome> => {
  const { privateTable, publicTable, workload } = adultTables(data, seed, kind === 'tune', bias);
  const support = supportOf(publicTable);
  const laboratory = await openLaboratory(privateTable, workload);
  const plan = planFor(support, workload);
  try {
    if (kind === 'tune') {
      const tuned = await tuneRounds(laboratory, plan, extent, tuningRuns);
      return { rounds: tuned, pmw: [], exponential: [], direct: [], asIs: 0, mixture: 0, bound: 0 };
    }
    const errors = { pmw: [] as number[], exponential: [] as number[], direct: [] as number[] };
    for (const [i, epsilon] of extent.epsilons.entries()) {
      const trial = { epsilon, rounds: rounds[i], seed: 100 * seed + i };
      errors.pmw.push((await laboratory.run(plan, trial)).largest);
      errors.exponential.push((await laboratory.run(plan, { ...trial, selection: 'exponential' })).largest);
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

interface Row {
  readonly bias: number;
  readonly epsilon: number;
  readonly rounds: number;
  readonly pmw: Spread;
  readonly exponential: Spread;
  readonly direct: Spread;
  readonly asIs: Spread;
  readonly mixture: Spread;
  readonly bound: Spread;
}

/** MWEM's start on the public rows, with rounds of its own. */
interface UniformRow {
  readonly bias: number;
  readonly epsilon: number;
  readonly rounds: number;
  readonly error: Spread;
}

/** What every part of the experiment is run with. */
interface Design {
  readonly data: string;
  readonly biases: readonly number[];
  readonly extent: Extent;
  readonly seeds: number;
  say(line: string): void;
}

const seedsOf = ({ seeds }: Design): number[] => Array.from({ length: seeds }, (_, i) => i + 1);
const listed = (errors: readonly number[]): string => errors.map((error) => error.toFixed(4)).join(' ');

const pmwPubRows = async (design: Design): Promise<Row[]> => {
  const { data, biases, extent, seeds, say } = design;
  const tuned = await inWorkers<Job, LaboratoryOutcome>(
    import.meta.url,
    biases.map((bias) => ({ kind: 'tune', data, bias, seed: 1, extent, rounds: [] })),
    ({ bias }, { rounds }) => say(`bias ${bias}: rounds ${rounds.join(', ')}`),
  );
  const jobs = biases.flatMap((bias, b) =>
    seedsOf(design).map((seed): Job => ({ kind: 'run', data, bias, seed, extent, rounds: tuned[b].rounds })),
  );
  const outcomes = await inWorkers<Job, LaboratoryOutcome>(import.meta.url, jobs, ({ bias, seed }, { pmw }, done) =>
    say(`${done}/${jobs.length} bias ${bias}, run ${seed}: ${listed(pmw)}`),
  );
  return biases.flatMap((bias, b) => {
    const own = outcomes.slice(b * seeds, (b + 1) * seeds);
    const over = (value: (outcome: LaboratoryOutcome) => number): Spread => spreadOf(own.map(value));
    return extent.epsilons.map((epsilon, i) => ({
      bias,
      epsilon,
      rounds: tuned[b].rounds[i],
      pmw: over(({ pmw }) => pmw[i]),
      exponential: over(({ exponential }) => exponential[i]),
      direct: over(({ direct }) => direct[i]),
      asIs: over(({ asIs }) => asIs),
      mixture: over(({ mixture }) => mixture),
      bound: over(({ bound }) => bound),
    }));
  });
};

const uniformRows = async (design: Design): Promise<UniformRow[]> => {
  const { data, biases, extent, seeds, say } = design;
  const module = new URL('./pmw-pub/adult-uniform.js', import.meta.url).href;
  const tuned = await inWorkers<AdultUniformJob, AdultUniformOutcome>(
    module,
    biases.map((bias) => ({ data, bias, seed: 1, extent })),
    ({ bias }, { rounds }) => say(`uniform start, bias ${bias}: rounds ${rounds.join(', ')}`),
  );
  const jobs = biases.flatMap((bias, b) =>
    seedsOf(design).map((seed) => ({ data, bias, seed, extent, rounds: tuned[b].rounds })),
  );
  const outcomes = await inWorkers<AdultUniformJob, AdultUniformOutcome>(
    module,
    jobs,
    ({ bias, seed }, { errors }, done) =>
      say(`${done}/${jobs.length} uniform start, bias ${bias}, run ${seed}: ${listed(errors)}`),
  );
  return biases.flatMap((bias, b) =>
    extent.epsilons.map((epsilon, i) => ({
      bias,
      epsilon,
      rounds: tuned[b].rounds[i],
      error: spreadOf(outcomes.slice(b * seeds, (b + 1) * seeds).map(({ errors }) => errors[i])),
    })),
  );
};

const baselineRows = async (design: Design): Promise<Baseline[]> => {
  const {
    data,
    extent: { epsilons },
    say,
  } = design;
  const module = new URL('./pmw-pub/adult-baselines.js', import.meta.url).href;
  const [{ etas }] = await inWorkers<BaselineJob, BaselineResult>(module, [{ data, seed: 1, epsilons }]);
  say(`DualQuery's eta ${etas.join(', ')}`);
  const found = await inWorkers<BaselineJob, BaselineResult>(
    module,
    seedsOf(design).map((seed) => ({ data, seed, epsilons, etas })),
    ({ seed }, { hdmm, dualQuery }) => say(`run ${seed}: HDMM ${listed(hdmm)}, DualQuery ${listed(dualQuery)}`),
  );
  return baselinesOf(epsilons, etas, found);
};

const experiment: Experiment = async ({ data, seeds = 5, quick = false, only: given, say }) => {
  const only = partToRun(given, quick);
  const design: Design = {
    data: dataFolder(data),
    biases: quick ? [0.2] : allBiases,
    extent: quick ? quickExtent : fullExtent,
    seeds,
    say,
  };
  const kept = <T>(part: string): T => keptPart('pmw-pub-adult', part);
  const rows = only === 'baselines' ? kept<Row[]>('rows') : await pmwPubRows(design);
  const baselines = only === 'pmw-pub' ? kept<Baseline[]>('baselines') : await baselineRows(design);
  const uniform = only === 'pmw-pub' ? kept<UniformRow[]>('uniform') : await uniformRows(design);
  const domain = cellsOf(loadCodes(design.data, 'pmw-adult', adultAttributes).domain, adultAttributes);
  const lines = rows.map(({ bias, epsilon, rounds, pmw, exponential, direct, asIs, mixture }) => {
    const level = uniform.find((row) => row.bias === bias && row.epsilon === epsilon)!;
    const { hdmm, dualQuery } = baselines.find((row) => row.epsilon === epsilon)!;
    return [
      `${bias}`,
      `${epsilon}`,
      `${rounds}`,
      ...[pmw, exponential].map(show),
      `${show(level.error)} (${level.rounds})`,
      ...[direct, hdmm, dualQuery, asIs, mixture].map(show),
    ];
  });
  const heading = [
    'bias',
    'epsilon',
    'T',
    'PMW-Pub',
    'exponential',
    'uniform start (T)',
    'noisy cells',
    'HDMM',
    'DualQuery',
    'as it is',
    'mixture',
  ];
  return {
    figures: { seeds, domain, rows, uniform, baselines },
    text: `Largest error of a cell of 256 three-way marginals, mean and standard error of ${seeds} runs; delta 1/n^2, replace-one.
PMW-Pub selects by permute-and-flip as the paper does; "exponential" is the same with the exponential mechanism. MWEM itself is
refused: the domain has ${domain.toExponential(2)} cells; "uniform start" is MWEM's start on the public support, with rounds tuned on
its own. "noisy cells" measures every marginal at once; HDMM takes least squares of its marginals, DualQuery has its own records, eta
tuned. "mixture" is the best mixture error of the public rows, found without noise: a floor for PMW-Pub.
${[heading, ...lines].map((cells) => cells.map((cell, i) => cell.padEnd(i < 3 ? 9 : 24)).join('')).join('\n')}`,
  };
};

export default experiment;
