import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeWorkers } from '../adapters/node-workers.js';
import { dataFolder, loadCodes } from '../experiments/data/load-codes.js';
import { rowsAt, without } from '../experiments/data/pick-rows.js';
import { sizesOf } from '../src/domain/domain.js';
import type { Table } from '../src/domain/table.js';
import {
  type WeightedAnswers,
  weightedAnswers,
} from '../src/estimate/multiplicative-weights/multiplicative-weights.js';
import { type MarginalPlan, planMarginals } from '../src/estimate/multiplicative-weights/plan.js';
import { type MeasuredCell, updateWeights } from '../src/estimate/multiplicative-weights/update.js';
import { supportOf } from '../src/model/support/support.js';
import { openWeightedRows } from '../src/model/support/weighted-rows.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { nameCells } from '../src/privacy/answers/named-cells.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import { sampleMarginals } from '../src/query/workload/sample-marginals.js';
import { seeded } from '../src/random/seeded.js';
import { marginalsOf } from '../src/release/marginals-of.js';
import { cellQuery } from '../src/release/rounds/private-multiplicative-weights.js';
import { memorySource } from '../src/source/memory-source.js';
import { type Bench, type Figure, smaller } from './figures.js';

const ROWS = 85_000;
const MARGINALS = 4096;
const ROUNDS = 24;
/** After so many rounds the plain way takes its turn, so that a busy machine is as busy for it. */
const TURN = 8;
/** Rounds of the plain way in a turn. */
const PLAIN_ROUNDS = 3;
/** The budget is that of a release of this many rounds, so that noise and replay are as they are there. */
const RELEASE_ROUNDS = 100;
/** NumPy evaluates one in this many marginals, spread evenly; its time is scaled. */
const NUMPY_STRIDE = 16;

/** Of many rounds the fastest: whatever else runs on the machine only adds time. */
const best = (seconds: readonly number[]): number => seconds.reduce((least, one) => Math.min(least, one));

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

/** A session on the private rows with the budget of a release, and the share of one selection or measurement. */
const openRelease = async (privateTable: Table) => {
  const source = await memorySource({ table: privateTable, dataset: 'bench', workers: nodeWorkers });
  const budget = { epsilon: 1, delta: 1 / privateTable.length ** 2 };
  const ledger = await memoryLedger(budgetOf(budget), 'bench', { relation: 'replace-one' });
  const session = openSession({ source, budget, ledger, entropy: seededEntropy(1), relation: 'replace-one' });
  return { session, total: privateTable.length, share: 1 / (2 * RELEASE_ROUNDS), close: () => source.close() };
};

type Release = Awaited<ReturnType<typeof openRelease>>;

/** The plain way: all marginals from the rows, each row's cells being known, and a selection by every cell. */
const plainWay = async (plan: MarginalPlan, { session, total, share }: Release, threads: number) => {
  const rows = await openWeightedRows(plan.support, plan.marginals, { threads, workers: nodeWorkers });
  const vector = rows.vector();
  const sumsOf = () => rows.maps.map(({ sums }) => sums.view);
  return {
    /** Seconds of evaluating these weights. */
    evaluate: async (weights: Float64Array): Promise<number> => {
      vector.view.set(weights);
      return seconds(async () => {
        await rows.run((slice) => rows.scatter(vector, slice));
        rows.collect();
      });
    },
    /** Seconds of a selection by what was evaluated. */
    select: (): Promise<number> => {
      const candidates = sumsOf().map((reference, m) => ({
        query: { kind: 'marginal' as const, attributes: plan.marginals[m] },
        reference,
        scale: total,
      }));
      return seconds(() => session.selectCell(candidates, share));
    },
    /** Largest difference of what was evaluated from kept answers. */
    difference: (answers: WeightedAnswers): number => {
      let largest = 0;
      for (const [m, sums] of sumsOf().entries()) {
        const kept = answers.allSums(m);
        for (let cell = 0; cell < sums.length; cell++)
          largest = Math.max(largest, Math.abs(sums[cell] - kept[cell] / answers.mass));
      }
      return largest;
    },
    close: () => rows.close(),
  };
};

type PlainWay = Awaited<ReturnType<typeof plainWay>>;

/** Seconds of the parts of each round, and what was updated. */
const recorder = () => ({
  select: [] as number[],
  update: [] as number[],
  answers: [] as number[],
  plainSelect: [] as number[],
  plainAnswers: [] as number[],
  /** Updates in the order they were made. */
  rounds: [] as MeasuredCell[][],
});

type Recorded = ReturnType<typeof recorder>;

/** Runs rounds of PMW-Pub through a session, with turns of the plain way in between. */
const runRounds = async (
  plan: MarginalPlan,
  { session, total, share }: Release,
  answers: WeightedAnswers,
  plain: PlainWay,
): Promise<Recorded> => {
  const marginals = plan.marginals.map((attributes) => ({ kind: 'marginal' as const, attributes }));
  const { domain } = plan.support;
  const random = seeded(1);
  const held = plan.held.map(nameCells);
  const measured: MeasuredCell[] = [];
  const recorded = recorder();
  const candidatesNow = () => {
    const scale = total / answers.mass;
    return marginals.map((query, m) => ({ query, reference: answers.sums(m), cells: held[m], scale }));
  };
  // Counts the private table once, and compiles what there is to compile: not part of a round.
  await answers.refresh();
  await session.selectCell(candidatesNow(), 1e-6);
  for (let round = 0; round < ROUNDS; round++) {
    const made: MeasuredCell[] = [];
    recorded.select.push(
      await seconds(async () => {
        const { candidate, cell } = await session.selectCell(candidatesNow(), share);
        const query = cellQuery(marginals[candidate], sizesOf(domain, marginals[candidate].attributes), cell);
        const [{ values }] = await session.measure([query], share);
        const proportion = Math.min(1, Math.max(0, values[0] / total));
        measured.push({ marginal: candidate, cell, proportion });
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
    recorded.answers.push(await seconds(() => answers.refresh()));
    recorded.rounds.push(made);
    if (round % TURN !== TURN - 1) continue;
    for (let again = 0; again < PLAIN_ROUNDS; again++) {
      recorded.plainAnswers.push(await plain.evaluate(answers.distribution()));
      recorded.plainSelect.push(await plain.select());
    }
    const difference = plain.difference(answers);
    if (!(difference < 1e-9)) throw new Error(`bench pmw-pub: kept answers are off by ${difference}`);
  }
  return recorded;
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
  const figures: Figure[] = [];
  const release = await openRelease(privateTable);
  const [selection] = release.session.preview([cellQuery(marginalsOf(workload)[0], [1, 1, 1], 0)], release.share);
  let lastRun: Recorded | undefined;
  /** Milliseconds of a round on one thread: update, replay and answers, and all of it. */
  let [inner, whole] = [0, 0];
  for (const threads of [1, 2]) {
    const answers = await weightedAnswers(plan, { threads, workers: nodeWorkers });
    const plain = await plainWay(plan, release, threads);
    const run = await runRounds(plan, release, answers, plain);
    const [select, update, kept] = [run.select, run.update, run.answers].map(best);
    const [plainSelect, plainKept] = [run.plainSelect, run.plainAnswers].map(best);
    const name = threads === 1 ? 'one thread' : 'two threads';
    const compare = (what: string, ours: number, theirs: number): void => {
      figures.push(smaller(`${what}, ${name}, against full re-evaluation`, 1e3 * ours, 1e3 * theirs, 'ms'));
    };
    compare('update, replay and answers', update + kept, update + plainKept);
    compare('answers alone', kept, plainKept);
    compare('whole round', select + update + kept, plainSelect + update + plainKept);
    figures.push(
      smaller(`select and measure, ${name}, against selecting by every cell`, 1e3 * select, 1e3 * plainSelect, 'ms'),
    );
    if (threads === 1) [inner, whole] = [1e3 * (update + kept), 1e3 * (select + update + kept)];
    plain.close();
    answers.close();
    lastRun = run;
  }
  release.close();
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
      // Selections and measurements get equal shares: what Gaussian noise of scale s costs, a selection with epsilon 2 / s does.
      epsilon: 2 / selection.scale,
      rounds: lastRun.rounds.map((updates) =>
        updates.map(({ marginal, cell, proportion }) => ({
          names: attributes[marginal],
          codes: codesOf(cell, sizesOf(domain, attributes[marginal])),
          proportion,
        })),
      ),
    };
    const output = execFileSync(python, [script], { input: JSON.stringify(task), maxBuffer: 2 ** 28 });
    const peer = JSON.parse(output.toString()) as Record<'select' | 'update' | 'answers', number[]> & { cells: number };
    const sampled = Math.ceil(MARGINALS / NUMPY_STRIDE);
    const numpy = best(peer.update) + (best(peer.answers) * MARGINALS) / sampled;
    const selecting = (best(peer.select) * cells) / peer.cells;
    figures.push(
      smaller('update, replay and answers, one thread, against NumPy bincount', inner, 1e3 * numpy, 'ms'),
      smaller('whole round, one thread, against NumPy', whole, 1e3 * (numpy + selecting), 'ms'),
    );
  }
  return figures;
};

export default bench;
