import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeWorkers } from '../adapters/node-workers.js';
import { dataFolder, loadCodes } from '../experiments/data/load-codes.js';
import { rowsAt, without } from '../experiments/data/pick-rows.js';
import { sizesOf } from '../src/domain/domain.js';
import type { Table } from '../src/domain/table.js';
import { type WeightedAnswers, weightedAnswers } from '../src/estimate/multiplicative-weights.js';
import { type MarginalPlan, planMarginals } from '../src/estimate/multiplicative-weights-plan.js';
import { type MeasuredCell, updateWeights } from '../src/estimate/multiplicative-weights-update.js';
import { type Support, supportOf } from '../src/model/support.js';
import { openWeightedRows } from '../src/model/weighted-rows.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { nameCells } from '../src/privacy/named-cells.js';
import { openSession } from '../src/privacy/open-session.js';
import { sampleMarginals } from '../src/query/sample-marginals.js';
import { seeded } from '../src/random/seeded.js';
import { cellQuery, marginalsOf } from '../src/release/private-multiplicative-weights.js';
import { memorySource } from '../src/source/memory-source.js';
import { type Bench, smaller } from './figures.js';

const ROWS = 85_000;
const MARGINALS = 4096;
const ROUNDS = 12;
/** The budget is that of a release of this many rounds, so that noise and replay are as they are there. */
const RELEASE_ROUNDS = 100;
/** NumPy evaluates one in this many marginals, spread evenly; its time is scaled. */
const NUMPY_STRIDE = 16;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

const seconds = async (work: () => Promise<unknown> | unknown): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

/** The earliest rows are public, the others private: the order of years within the file's order. */
const splitByYear = (table: Table): { publicTable: Table; privateTable: Table } => {
  const [, year] = table.columns;
  const order = Array.from({ length: table.length }, (_, row) => row).sort((a, b) => year[a] - year[b] || a - b);
  const part = (from: number, to?: number) => without(rowsAt(table, order.slice(from, to)), ['PUMA', 'YEAR']);
  return { publicTable: part(0, ROWS), privateTable: part(ROWS) };
};

interface Recorded {
  /** Measured cells up to each round, in order. */
  readonly measured: readonly MeasuredCell[];
  /** Updates of each round, in the order they were made. */
  readonly rounds: readonly (readonly MeasuredCell[])[];
  readonly select: number[];
  readonly update: number[];
  readonly answers: number[];
  /** Weights after each round. */
  readonly weights: readonly Float64Array[];
}

/** Runs rounds of PMW-Pub through a session and times their parts. */
const runRounds = async (plan: MarginalPlan, privateTable: Table, answers: WeightedAnswers): Promise<Recorded> => {
  const marginals = plan.marginals.map((attributes) => ({ kind: 'marginal' as const, attributes }));
  const { domain } = plan.support;
  const source = await memorySource({ table: privateTable, dataset: 'bench', workers: nodeWorkers });
  const budget = { epsilon: 1, delta: 1 / privateTable.length ** 2 };
  const ledger = await memoryLedger(budgetOf(budget), 'bench');
  const entropy = seededEntropy(1);
  const session = openSession({ source, budget, ledger, entropy, relation: 'replace-one' });
  const share = 1 / (2 * RELEASE_ROUNDS);
  const total = privateTable.length;
  const random = seeded(1);
  const held = plan.held.map(nameCells);
  const measured: MeasuredCell[] = [];
  const recorded = { rounds: [] as MeasuredCell[][], select: [] as number[], update: [] as number[] };
  const times = { answers: [] as number[], weights: [] as Float64Array[] };
  // Counts the private table once, and compiles what there is to compile: not part of a round.
  const candidatesNow = () => {
    const scale = total / answers.mass;
    return marginals.map((query, m) => ({ query, reference: answers.sums(m), cells: held[m], scale }));
  };
  await answers.refresh();
  await session.selectCell(candidatesNow(), 1e-6);
  for (let round = 0; round < ROUNDS; round++) {
    let chosen = { candidate: 0, cell: 0 };
    const made: MeasuredCell[] = [];
    recorded.select.push(
      await seconds(async () => {
        chosen = await session.selectCell(candidatesNow(), share);
        const query = cellQuery(
          marginals[chosen.candidate],
          sizesOf(domain, marginals[chosen.candidate].attributes),
          chosen.cell,
        );
        const [{ values }] = await session.measure([query], share);
        const proportion = Math.min(1, Math.max(0, values[0] / total));
        measured.push({ marginal: chosen.candidate, cell: chosen.cell, proportion });
      }),
    );
    const spied: WeightedAnswers = {
      ...answers,
      get mass() {
        return answers.mass;
      },
      rowsIn: (marginal, cell) => {
        made.push(measured.find((one) => one.marginal === marginal && one.cell === cell)!);
        return answers.rowsIn(marginal, cell);
      },
    };
    recorded.update.push(await seconds(() => updateWeights(spied, measured, random)));
    times.answers.push(await seconds(() => answers.refresh()));
    recorded.rounds.push(made);
    times.weights.push(answers.distribution());
  }
  source.close();
  return { measured, ...recorded, ...times };
};

/** The time of evaluating all marginals from the rows, each marginal's cells of the rows being known, after each round. */
const fullTimes = async (support: Support, plan: MarginalPlan, weights: readonly Float64Array[], threads: number) => {
  const rows = await openWeightedRows(support, plan.marginals, { threads, workers: nodeWorkers });
  const vector = rows.vector();
  const times: number[] = [];
  let difference = 0;
  for (const own of weights.slice(-4)) {
    vector.view.set(own);
    times.push(
      await seconds(async () => {
        await rows.run((slice) => rows.scatter(vector, slice));
        rows.collect();
      }),
    );
  }
  const last = rows.maps.map(({ sums }) => sums.view);
  return {
    time: median(times),
    /** Largest difference from the sums that were kept. */
    compare: (answers: WeightedAnswers): number => {
      for (const [m, sums] of last.entries()) {
        const kept = answers.allSums(m);
        for (let cell = 0; cell < sums.length; cell++)
          difference = Math.max(difference, Math.abs(sums[cell] - kept[cell] / answers.mass));
      }
      return difference;
    },
    close: () => rows.close(),
  };
};

/** The codes of a cell, one for each attribute of its marginal. */
const codesOf = (cell: number, sizes: readonly number[]): number[] => {
  const codes: number[] = [];
  for (let i = sizes.length - 1, rest = cell; i >= 0; i--) {
    codes.unshift(rest % sizes[i]);
    rest = Math.floor(rest / sizes[i]);
  }
  return codes;
};

const bench: Bench = async ({ data, python, say }) => {
  const folder = dataFolder(data);
  const { publicTable, privateTable } = splitByYear(loadCodes(folder, 'nist-sprint2'));
  const { domain } = publicTable;
  const support = supportOf(publicTable);
  const workload = sampleMarginals(domain, 3, MARGINALS, seeded(2));
  const attributes = marginalsOf(workload).map((query) => query.attributes);
  let plan!: MarginalPlan;
  say(`plan: ${(await seconds(() => (plan = planMarginals(support, attributes)))).toFixed(1)} s, once`);
  const cells = plan.cells.reduce((sum, count) => sum + count, 0);
  const direct = support.length * MARGINALS;
  say(`${support.length} rows, ${cells} cells; ${plan.cost} additions by the plan, ${direct} from the rows`);
  const figures = [];
  let lastRun: Recorded | undefined;
  for (const threads of [1, 2]) {
    const answers = await weightedAnswers(plan, { threads, workers: nodeWorkers });
    const run = await runRounds(plan, privateTable, answers);
    const full = await fullTimes(support, plan, run.weights, threads);
    const difference = full.compare(answers);
    if (!(difference < 1e-9)) throw new Error(`bench pmw-pub: kept answers are off by ${difference}`);
    const [select, update, kept] = [median(run.select), median(run.update), median(run.answers)];
    const name = threads === 1 ? 'one thread' : 'two threads';
    figures.push(
      smaller(
        `update, replay and answers, ${name}, against full re-evaluation`,
        1e3 * (update + kept),
        1e3 * (update + full.time),
        'ms',
      ),
      smaller(`answers alone, ${name}, against full re-evaluation`, 1e3 * kept, 1e3 * full.time, 'ms'),
      smaller(`select and measure, ${name}`, 1e3 * select, null, 'ms'),
      smaller(
        `whole round, ${name}, against one with full re-evaluation`,
        1e3 * (select + update + kept),
        1e3 * (select + update + full.time),
        'ms',
      ),
    );
    full.close();
    answers.close();
    lastRun = run;
  }
  if (python !== undefined && lastRun !== undefined) {
    const file = path.join(folder, 'nist-sprint2', 'acs-il-oh.csv.gz');
    const script = path.resolve(
      path.dirname(fileURLToPath(import.meta.url)),
      '..',
      '..',
      'bench',
      'peers',
      'pmw-pub.py',
    );
    const task = {
      file,
      rows: ROWS,
      order: 'YEAR',
      names: domain.attributes.map((attribute) => attribute.name),
      sizes: domain.attributes.map((attribute) => attribute.size),
      marginals: attributes,
      stride: NUMPY_STRIDE,
      rounds: lastRun.rounds.map((updates) =>
        updates.map(({ marginal, cell, proportion }) => ({
          names: attributes[marginal],
          codes: codesOf(cell, sizesOf(domain, attributes[marginal])),
          proportion,
        })),
      ),
    };
    const output = execFileSync(python, [script], { input: JSON.stringify(task), maxBuffer: 2 ** 28 });
    const peer = JSON.parse(output.toString()) as { update: number[]; answers: number[]; sums: number[] };
    const sampled = Math.ceil(MARGINALS / NUMPY_STRIDE);
    const numpy = median(peer.update) + (median(peer.answers) * MARGINALS) / sampled;
    const [first] = figures;
    figures.splice(1, 0, smaller('the same, one thread, against NumPy bincount', first.ours, 1e3 * numpy, 'ms'));
  }
  return figures;
};

export default bench;
