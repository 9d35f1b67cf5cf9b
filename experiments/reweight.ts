import { existsSync, readFileSync } from 'node:fs';
import { InputError } from '../src/domain/input-error.js';
import { estimateReweighted } from '../src/estimate/reweight/reweight.js';
import { supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import { marginal } from '../src/query/marginal.js';
import { pairsOrOneWays } from '../src/query/workload/pairs-or-one-ways.js';
import { sampleMarginals } from '../src/query/workload/sample-marginals.js';
import { union, type Workload, workloadOf } from '../src/query/workload/workload.js';
import { seeded } from '../src/random/seeded.js';
import { ide as releaseByIde } from '../src/release/ide/ide.js';
import { type IdeMeasure, ideMeasures } from '../src/release/ide/workload.js';
import { pmwPub } from '../src/release/pmw-pub/pmw-pub.js';
import { reweight } from '../src/release/reweight/reweight.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { inWorkersResuming } from './resume.js';
import { type Errors, judge } from './reweighting/errors.js';
import { alone, delta, type Fixed, fixed, runWide, sessionsOn } from './reweighting/run-wide.js';
import { loadSetting, type Setting, type SettingName, settingNames } from './reweighting/settings.js';
import { type Spread, showSpread, spreadOf } from './spread.js';

const epsilons = [0.03, 0.1, 0.3, 1, 3];
const ideNames = ideMeasures.map((measure): `IDE, ${IdeMeasure}` => `IDE, ${measure}`);
/** Besides: all pairs and the public rows alone (*validated*), at other stopping points too. */
const others = ['validated', 'oracle stop', 'converged', ...ideNames, 'PMW-Pub', 'public as it is'] as const;
/** The default, which designs what it measures and widens its support; and the same support fitted to fixed choices, each measured at once with the whole budget. */
const fixedNames = fixed.map((measure): `wider, ${Fixed}` => `wider, ${measure}`);
const contenders = ['wider', ...fixedNames, ...others] as const;
type Contender = (typeof contenders)[number];
type Other = (typeof others)[number];

/** Rounds of PMW-Pub that are tried in rehearsal. */
const rounds = [5, 10, 25, 50, 100, 200];

interface Tuning {
  readonly kind: 'tune';
  readonly data: string;
  readonly setting: SettingName;
  readonly epsilon: number;
}

interface WideRun extends Omit<Tuning, 'kind'> {
  readonly kind: 'wider';
  readonly seed: number;
  /** What is measured, where it is not designed. */
  readonly measure?: Fixed | undefined;
}

interface Run extends Omit<Tuning, 'kind'> {
  readonly kind: 'run';
  readonly seed: number;
  /** Rounds of PMW-Pub. */
  readonly rounds: number;
}

type Outcome = Record<Other, Errors>;

/** PMW-Pub is given what it is judged by: three-way marginals, the judged ones among them. */
const workloadFor = ({ publicTable, triples }: Pick<Setting, 'publicTable' | 'triples'>): Workload =>
  union(
    workloadOf(triples.map((triple) => marginal(...triple))),
    sampleMarginals(publicTable.domain, 3, 200, seeded(7), { maxCells: 5000 }),
  );

/** The number of rounds that does best on two parts of the public table, at a budget that gives the same precision. */
const tune = async ({ data, setting, epsilon }: Tuning): Promise<number> => {
  const { rehearsal, privateTable, triples } = await loadSetting(setting, data);
  const errorsOf = judge(rehearsal.privateTable, triples);
  const scaled = (epsilon * privateTable.length) / rehearsal.privateTable.length;
  const sessions = await sessionsOn(rehearsal.privateTable, scaled, 99);
  const workload = workloadFor({ ...rehearsal, triples });
  let best = { rounds: rounds[0], error: Number.POSITIVE_INFINITY };
  for (const [stream, count] of rounds.entries()) {
    const session = await sessions.open(stream);
    const { model } = await pmwPub(session, supportOf(rehearsal.publicTable), workload, { ...alone(1), rounds: count });
    const { mean } = errorsOf(model);
    if (mean < best.error) best = { rounds: count, error: mean };
  }
  sessions.close();
  return best.rounds;
};

/** One run of every other contender on one setting, budget and seed; each has a session and a budget of its own. */
const run = async ({ data, setting, epsilon, seed, rounds: count }: Run): Promise<Outcome> => {
  const loaded = await loadSetting(setting, data);
  const { publicTable, privateTable, triples } = loaded;
  const prior = supportOf(publicTable);
  const errorsOf = judge(privateTable, triples);
  const sessions = await sessionsOn(privateTable, epsilon, seed);
  const validated = await reweight(await sessions.open(1), prior, {
    ...alone(seed),
    workload: pairsOrOneWays(publicTable.domain),
    widening: { lambda: 0 },
  });
  let oracle: Errors = { mean: Number.POSITIVE_INFINITY, max: Number.POSITIVE_INFINITY };
  const converged = await estimateReweighted(prior, validated.measurements, {
    ...alone(seed),
    until: 'converged',
    iterations: 300,
    onStep: async (_, weights) => {
      const errors = errorsOf(supportModel({ ...prior, weights: await weights() }, 1));
      if (errors.mean < oracle.mean) oracle = errors;
    },
  });
  const ide: Partial<Outcome> = {};
  for (const [i, measure] of ideMeasures.entries()) {
    const { model } = await releaseByIde(await sessions.open(10 + i), prior, { ...alone(seed), measure, epochs: 20 });
    ide[`IDE, ${measure}`] = errorsOf(model);
  }
  const pmw = await pmwPub(await sessions.open(3), prior, workloadFor(loaded), { ...alone(seed), rounds: count });
  sessions.close();
  return {
    ...(ide as Pick<Outcome, (typeof ideNames)[number]>),
    validated: errorsOf(validated.model),
    'oracle stop': oracle,
    converged: errorsOf(supportModel(converged.support, 1)),
    'PMW-Pub': errorsOf(pmw.model),
    'public as it is': errorsOf(supportModel(prior, 1)),
  };
};

export const runJob = async (job: Tuning | WideRun | Run): Promise<Outcome | Errors | number> =>
  job.kind === 'tune'
    ? tune(job)
    : job.kind === 'wider'
      ? runWide(await loadSetting(job.setting, job.data), job)
      : run(job);

interface Row {
  readonly setting: SettingName;
  readonly epsilon: number;
  /** Rounds of PMW-Pub, tuned in rehearsal. */
  readonly rounds: number;
  /** What IDE should have measured here: that with the least mean error, which nobody knows beforehand. */
  readonly best: IdeMeasure;
  readonly mean: Partial<Record<Contender, Spread>>;
  readonly max: Partial<Record<Contender, Spread>>;
}

const line = (cells: readonly string[]): string => cells.map((cell) => cell.padEnd(24)).join('');
const shown = (spread: Spread | undefined): string => (spread === undefined ? '' : showSpread(spread));

const table = (rows: readonly Row[], which: 'mean' | 'max'): string =>
  [
    line(['setting', 'epsilon', ...contenders, 'IDE at its best']),
    ...rows.map((row) =>
      line([
        row.setting,
        `${row.epsilon}`,
        ...contenders.map((name) => shown(row[which][name])),
        `${shown(row[which][`IDE, ${row.best}`])} (${row.best})`,
      ]),
    ),
  ].join('\n');

/** Where the figures that the documents quote are kept. */
const keptFile = 'experiments/results/reweight.json';

interface Figures {
  readonly delta: number;
  /** Runs of all contenders but the default, each of whose figures says how many they are. */
  readonly seeds: number;
  readonly rows: readonly Row[];
}

const keptFigures = (): Figures => {
  if (!existsSync(keptFile))
    throw new InputError(`reweight: needs ${keptFile} for a part of the contenders, got none; run it without --only`);
  return JSON.parse(readFileSync(keptFile, 'utf8')) as Figures;
};

interface Cell {
  readonly data: string;
  readonly setting: SettingName;
  readonly epsilon: number;
}

const spreadsOf = <Name extends Contender>(outcomes: readonly Record<Name, Errors>[], which: keyof Errors) =>
  Object.fromEntries(
    (Object.keys(outcomes[0]) as Name[]).map((name) => [name, spreadOf(outcomes.map((one) => one[name][which]))]),
  ) as Record<Name, Spread>;

/** The rows of all contenders but the default. */
const rowsOfOthers = async (cells: readonly Cell[], seeds: number, say: (line: string) => void): Promise<Row[]> => {
  const tunings = cells.map((cell): Tuning => ({ kind: 'tune', ...cell }));
  const tuned = await inWorkersResuming<Tuning, number>(
    'reweight-rounds',
    import.meta.url,
    tunings,
    say,
    ({ setting, epsilon }, count) => `PMW-Pub, ${setting}, epsilon ${epsilon}: ${count} rounds`,
  );
  const jobs = cells.flatMap((cell, i) =>
    Array.from({ length: seeds }, (_, seed): Run => ({ kind: 'run', ...cell, seed: seed + 1, rounds: tuned[i] })),
  );
  const outcomes = await inWorkersResuming<Run, Outcome>(
    'reweight-others',
    import.meta.url,
    jobs,
    say,
    (job, outcome) =>
      `${job.setting}, epsilon ${job.epsilon}, seed ${job.seed}: validated ${outcome.validated.mean.toFixed(4)}, PMW-Pub ${outcome['PMW-Pub'].mean.toFixed(4)}`,
  );
  return cells.map(({ setting, epsilon }, i): Row => {
    const own = outcomes.slice(i * seeds, (i + 1) * seeds);
    const mean = spreadsOf(own, 'mean');
    const best = ideMeasures.reduce((a, b) => (mean[`IDE, ${b}`].mean < mean[`IDE, ${a}`].mean ? b : a));
    return { setting, epsilon, rounds: tuned[i], best, mean, max: spreadsOf(own, 'max') };
  });
};

/** The rows with the default beside the others. */
const withWider = async (
  rows: readonly Row[],
  cells: readonly Cell[],
  seeds: number,
  say: (line: string) => void,
): Promise<Row[]> => {
  const kinds = cells.flatMap((cell) => [undefined, ...fixed].map((measure) => ({ ...cell, measure })));
  const jobs = kinds.flatMap((kind) =>
    Array.from({ length: seeds }, (_, seed): WideRun => ({ kind: 'wider', ...kind, seed: seed + 1 })),
  );
  const nameOf = (measure: WideRun['measure']) => (measure === undefined ? 'wider' : (`wider, ${measure}` as const));
  const outcomes = await inWorkersResuming<WideRun, Errors>(
    'reweight-wider',
    import.meta.url,
    jobs,
    say,
    (job, { mean }) =>
      `${job.setting}, epsilon ${job.epsilon}, seed ${job.seed}: ${nameOf(job.measure)} ${mean.toFixed(4)}`,
  );
  return rows.map((row) => {
    const own = kinds.flatMap(({ setting, epsilon, measure }, i) =>
      setting === row.setting && epsilon === row.epsilon
        ? [{ name: nameOf(measure), errors: outcomes.slice(i * seeds, (i + 1) * seeds) }]
        : [],
    );
    const spreads = (which: keyof Errors): Row['mean'] =>
      Object.fromEntries(own.map(({ name, errors }) => [name, spreadOf(errors.map((one) => one[which]))]));
    return { ...row, mean: { ...row.mean, ...spreads('mean') }, max: { ...row.max, ...spreads('max') } };
  });
};

/**
 * All contenders, or with `--only wider` (or `others`) these alone beside the kept figures of the rest; `--only SETTING` is the default in one setting.
 * An interrupted run goes on where it stopped.
 */
const experiment: Experiment = async ({ data, seeds = 5, only, say }) => {
  const parts: readonly string[] = ['wider', 'others', ...settingNames];
  if (only !== undefined && !parts.includes(only))
    throw new InputError(`only: must be one of ${parts.join(', ')}, got ${JSON.stringify(only)}`);
  const folder = dataFolder(data);
  const settings = settingNames.filter((name) => name === only);
  const cells = (settings.length === 0 ? settingNames : settings).flatMap((setting) =>
    epsilons.map((epsilon): Cell => ({ data: folder, setting, epsilon })),
  );
  const isOfOthers = only === undefined || only === 'others';
  const rest = isOfOthers ? await rowsOfOthers(cells, seeds, say) : keptFigures().rows;
  const beside = only === 'others' ? keptWider(rest) : rest;
  const rows = only === 'others' ? beside : await withWider(beside, cells, seeds, say);
  return {
    figures: { delta, seeds: isOfOthers ? seeds : keptFigures().seeds, rows },
    text: `Mean total variation of 55 three-way marginals\n${table(rows, 'mean')}\n\nLargest error of a cell\n${table(rows, 'max')}`,
  };
};

/** Rows with what is kept of the default. */
const keptWider = (rows: readonly Row[]): Row[] => {
  const kept = keptFigures().rows;
  return rows.map((row) => {
    const old = kept.find(({ setting, epsilon }) => setting === row.setting && epsilon === row.epsilon);
    const wide = (which: 'mean' | 'max'): Row['mean'] =>
      Object.fromEntries(Object.entries(old?.[which] ?? {}).filter(([name]) => name.startsWith('wider')));
    return { ...row, mean: { ...row.mean, ...wide('mean') }, max: { ...row.max, ...wide('max') } };
  });
};

export default experiment;
