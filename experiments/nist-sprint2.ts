import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type GroupScore, type NistScore, nistScore } from '../src/evaluate/nist-score.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import { seeded } from '../src/random/seeded.js';
import { type GroupedOptions, grouped } from '../src/release/grouped/grouped.js';
import { memorySource } from '../src/source/memory-source.js';
import { references } from './contest/references.js';
import { contestTables, groups, type Split, splits, stateOfPuma, states } from './contest/tables.js';
import { dataFolder } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { inWorkers } from './parallel.js';
import { heatMap } from './plots/heat-map.js';
import { showSpread, spreadOf } from './spread.js';

/**
 * Algorithm 2 with pure noise as in the paper, and with Gaussian noise at the same epsilon. IDE too has our workloads, more epochs
 * than the paper's two, and our way to sample: what differs is the estimator alone.
 */
const contenders = [
  { name: 'IDE, Laplace', estimator: 'ide', budget: { epsilon: 10 } },
  { name: 'validated reweighting, Laplace', estimator: 'reweight', budget: { epsilon: 10 } },
  { name: 'validated reweighting, Gaussian', estimator: 'reweight', budget: { epsilon: 10, delta: 1e-9 } },
] as const satisfies readonly {
  name: string;
  estimator: GroupedOptions['estimator'];
  budget: { epsilon: number; delta?: number };
}[];
const paperRange = { from: 0.2, to: 0.4 };
const paper = `${paperRange.from} to ${paperRange.to} a group, on groups several times as large (one run, private = public)`;

/** One release by one contender, or the references when there is none. */
interface Job {
  readonly data: string;
  readonly split: Split;
  readonly seed: number;
  readonly contender?: number;
}

interface Outcome {
  readonly scores: Record<string, NistScore>;
  readonly seconds: number;
  /** Score of eight rows for each record: nearer to the model's own than a release's rows are, and still drawn. */
  readonly unsampled?: number;
  readonly spent?: string;
  readonly notes?: Readonly<Record<string, unknown>>;
}

/** The pairs of attributes are the same for everything that is compared, and others for every seed. */
const pairsOf = (seed: number) => () => seeded(7_000 + seed);

export const runJob = async ({ data, split, seed, contender }: Job): Promise<Outcome> => {
  const tables = contestTables(data, split);
  const { publicTable, privateTable } = tables;
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  if (contender === undefined) return { scores: references(tables, split, seed, pairsOf(seed)), seconds: seconds() };
  const { name, estimator, budget } = contenders[contender];
  const source = await memorySource({ table: privateTable, dataset: 'nist-sprint2', threads: 1 });
  const session = openSession({
    source,
    budget,
    ledger: await memoryLedger(budgetOf(budget), 'nist-sprint2'),
    entropy: seededEntropy(1_000 * seed + contender),
  });
  const random = seeded(100 * seed + contender);
  const { model, notes } = await grouped(session, publicTable, {
    groups,
    regions: [stateOfPuma],
    estimator,
    random,
    threads: 1,
  });
  source.close();
  const scoreOf = (rows: number): NistScore =>
    nistScore(privateTable, model.sample(rows, random), { groups, random: pairsOf(seed)() });
  return {
    scores: { [name]: scoreOf(model.total) },
    unsampled: scoreOf(8 * model.total).withoutPenalty,
    seconds: seconds(),
    spent: session.statement().spent,
    notes,
  };
};

const drawHeatMaps = (folder: string, split: Split, name: string, scores: readonly GroupScore[]): string[] =>
  states.map(({ name: state, from, to }) => {
    const error = new Map(scores.map(({ key, error: e, penalised }) => [`${key}`, penalised ? 2 : e]));
    const svg = heatMap({
      title: `${state}: L1 error of 50 random pairs by PUMA and year (${name}, epsilon 10, ${split})`,
      rowLabels: Array.from({ length: 7 }, (_, year) => String(2012 + year)),
      columns: `${to - from} PUMAs`,
      values: Array.from({ length: 7 }, (_, year) =>
        Array.from({ length: to - from }, (_, puma) => error.get(`${from + puma},${year}`)),
      ),
      from: 0.2,
      to: 0.6,
    });
    const file = path.join(folder, `nist-sprint2-${split}-${name}-${state.toLowerCase()}.svg`);
    writeFileSync(file, svg);
    return file;
  });

const experiment: Experiment = async ({ data, seeds = 3, say }) => {
  const folder = dataFolder(data);
  const jobs = splits.flatMap((split) =>
    Array.from({ length: seeds }, (_, i) => i + 1).flatMap((seed): Job[] => [
      { data: folder, split, seed },
      ...contenders.map((_, contender) => ({ data: folder, split, seed, contender })),
    ]),
  );
  const outcomes = await inWorkers<Job, Outcome>(
    new URL(import.meta.url).href,
    jobs,
    (job, { scores, seconds }, done) => {
      for (const [name, { error }] of Object.entries(scores))
        say(
          `${done}/${jobs.length} ${job.split}, seed ${job.seed}: ${name} ${error.toFixed(4)} (${seconds.toFixed(0)} s)`,
        );
    },
  );

  const results = path.resolve('experiments/results');
  mkdirSync(results, { recursive: true });
  const maps: string[] = [];
  const rows: Record<string, unknown>[] = [];
  for (const split of splits) {
    const runs = jobs.flatMap((job, i) =>
      job.split === split
        ? Object.entries(outcomes[i].scores).map(([name, score]) => ({ name, score, job, outcome: outcomes[i] }))
        : [],
    );
    for (const name of new Set(runs.map((run) => run.name))) {
      const mine = runs.filter((run) => run.name === name);
      const released = mine[0].job.contender !== undefined;
      const per = mine[0].score.groups.map(({ error }) => error).sort((a, b) => a - b);
      const at = (share: number): number => per[Math.floor(share * (per.length - 1))];
      rows.push({
        split,
        name,
        error: spreadOf(mine.map(({ score }) => score.error)),
        withoutPenalty: spreadOf(mine.map(({ score }) => score.withoutPenalty)),
        penalised: mine.reduce((sum, { score }) => sum + score.penalised, 0),
        groups: per.length,
        groupErrors: { p10: at(0.1), median: at(0.5), p90: at(0.9) },
        /** Part of the groups whose error is above the paper's range. */
        above: per.filter((error) => error > paperRange.to).length / per.length,
        ...(released
          ? {
              unsampled: spreadOf(mine.map(({ outcome }) => outcome.unsampled!)),
              stray: spreadOf(mine.map(({ score }) => score.stray)),
              seconds: spreadOf(mine.map(({ outcome }) => outcome.seconds)),
              spent: mine[0].outcome.spent,
              notes: mine[0].outcome.notes,
            }
          : {}),
      });
      if (released && name.includes('Laplace'))
        maps.push(
          ...drawHeatMaps(results, split, mine[0].job.contender === 0 ? 'ide' : 'reweight', mine[0].score.groups),
        );
    }
  }
  say(`heat maps: ${maps.map((file) => path.relative('.', file)).join(', ')}`);
  return { figures: { epsilon: 10, seeds, paper, rows }, text: `${tableOf(rows)}\n\npaper: ${paper}` };
};

type Spread = ReturnType<typeof spreadOf>;

const tableOf = (rows: readonly Record<string, unknown>[]): string =>
  [
    'split  who                              error            no penalty       penalised  10% to 90% of groups  unsampled',
    ...rows.map(({ split, name, error, withoutPenalty, penalised, groupErrors, unsampled }) => {
      const { p10, p90 } = groupErrors as { p10: number; p90: number };
      return [
        String(split).padEnd(6),
        String(name).padEnd(32),
        showSpread(error as Spread).padEnd(16),
        showSpread(withoutPenalty as Spread).padEnd(16),
        String(penalised).padEnd(10),
        `${p10.toFixed(2)} to ${p90.toFixed(2)}`.padEnd(21),
        unsampled === undefined ? '' : showSpread(unsampled as Spread),
      ].join(' ');
    }),
  ].join('\n');

export default experiment;
