import type { Table } from '../src/domain/table.js';
import { answerErrors } from '../src/evaluate/answer-errors.js';
import { supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import type { Session } from '../src/privacy/session/session.js';
import { attributesOf } from '../src/query/answer.js';
import { allMarginals } from '../src/query/workload/all-marginals.js';
import { sampleMarginals } from '../src/query/workload/sample-marginals.js';
import type { Workload } from '../src/query/workload/workload.js';
import { seeded } from '../src/random/seeded.js';
import { aim } from '../src/release/aim/aim.js';
import { gem } from '../src/release/gem/gem.js';
import { mwemByMarginals } from '../src/release/mwem/mwem-by-marginals.js';
import { memorySource } from '../src/source/memory-source.js';
import { onlyOf } from './command/only-of.js';
import { dataFolder, loadCodes } from './data/load-codes.js';
import { without } from './data/pick-rows.js';
import type { Experiment } from './experiment.js';
import { inWorkersResuming } from './resume.js';
import { type Spread, showSpread, spreadOf } from './spread.js';

/*
 * GEM beside AIM and MWEM by marginals on tables of one level: adult as the PMW-Pub paper has it with all three-way marginals, and loans with
 * pairs of its attributes. Number of records public, delta 1/n^2, as in the papers. Largest and mean error of all answers, as proportions.
 */
const tables = ['adult', 'loans'] as const;
type TableName = (typeof tables)[number];
const epsilons = [0.3, 1, 3];
/** Pairs of loans that are asked for: all 1,128 would take days. */
const pairsOfLoans = 24;
/** A fortieth of GEM's default work, which would take a day. */
const lighter = { batch: 100, steps: 25 };
const mechanisms = ['gem', 'aim', 'mwem'] as const;
type MechanismName = (typeof mechanisms)[number];

interface Job {
  readonly data: string;
  readonly table: TableName;
  readonly mechanism: MechanismName;
  readonly epsilon: number;
  readonly seed: number;
  readonly quick: boolean;
}

interface Outcome {
  readonly largest: number;
  readonly mean: number;
  readonly seconds: number;
}

const load: Record<TableName, (data: string) => { readonly table: Table; readonly workload: Workload }> = {
  adult: (data) => {
    const table = without(loadCodes(data, 'pmw-adult'), ['age', 'education']);
    return { table, workload: allMarginals(table.domain, 3) };
  },
  loans: (data) => {
    const table = loadCodes(data, 'pgm-four/loans');
    return { table, workload: sampleMarginals(table.domain, 2, pairsOfLoans, seeded(64)) };
  },
};

const run: Record<
  MechanismName,
  (session: Session, workload: Workload, seed: number, quick: boolean) => ReturnType<typeof gem>
> = {
  gem: (session, workload, seed, quick) => {
    const little = quick ? { rounds: 3, batch: 100, steps: 10 } : lighter;
    return gem(session, workload, { ...little, random: seeded(seed), threads: 1 });
  },
  aim: (session, workload, seed) => aim(session, { workload, random: seeded(seed), threads: 1 }),
  mwem: (session, workload, seed) => mwemByMarginals(session, workload, { random: seeded(seed), threads: 1 }),
};

export const runJob = async ({ data, table: name, mechanism, epsilon, seed, quick }: Job): Promise<Outcome> => {
  const { table, workload } = load[name](data);
  const source = await memorySource({ table, dataset: 'experiment', threads: 1 });
  const budget = { epsilon, delta: 1 / table.length ** 2 };
  const ledger = await memoryLedger(budgetOf(budget), 'experiment', { relation: 'replace-one' });
  const session = openSession({ source, budget, ledger, entropy: seededEntropy(seed), relation: 'replace-one' });
  const start = performance.now();
  const { model } = await run[mechanism](session, workload, seed, quick);
  const seconds = (performance.now() - start) / 1000;
  source.close();
  const truth = supportModel(supportOf(table), table.length);
  const given = workload.queries.map(({ query }) => ({ attributes: attributesOf(query), counts: truth.answer(query) }));
  const { largest, mean } = answerErrors(model, given);
  return { largest, mean, seconds };
};

interface Row {
  readonly table: TableName;
  readonly epsilon: number;
  readonly mechanism: MechanismName;
  readonly largest: Spread;
  readonly mean: Spread;
  readonly seconds: number;
}

const line = (cells: readonly string[]): string =>
  cells
    .map((cell) => cell.padEnd(20))
    .join('')
    .trimEnd();

const experiment: Experiment = async ({ data, seeds = 3, quick = false, only, say }) => {
  const chosen = onlyOf(only, mechanisms);
  const folder = dataFolder(data);
  const used = quick ? [1] : epsilons;
  const count = quick ? 1 : seeds;
  const jobs = (quick ? tables.slice(0, 1) : tables).flatMap((table) =>
    used.flatMap((epsilon) =>
      (chosen === undefined ? mechanisms : [chosen]).flatMap((mechanism) =>
        Array.from(
          { length: count },
          (_, seed): Job => ({ data: folder, table, mechanism, epsilon, seed: seed + 1, quick }),
        ),
      ),
    ),
  );
  const outcomes = await inWorkersResuming<Job, Outcome>(
    'gem-flat',
    import.meta.url,
    jobs,
    say,
    ({ table, mechanism, epsilon, seed }, { largest }) =>
      `${table}, ${mechanism}, epsilon ${epsilon}, seed ${seed}: largest error ${largest.toFixed(4)}`,
  );
  const rows: Row[] = [];
  for (const [i, { table, mechanism, epsilon, seed }] of jobs.entries()) {
    if (seed !== 1) continue;
    const own = outcomes.slice(i, i + count);
    rows.push({
      table,
      epsilon,
      mechanism,
      largest: spreadOf(own.map(({ largest }) => largest)),
      mean: spreadOf(own.map(({ mean }) => mean)),
      seconds: own.reduce((sum, { seconds }) => sum + seconds, 0) / own.length,
    });
  }
  const body = rows.map(({ table, epsilon, mechanism, largest, mean, seconds }) =>
    line([
      table,
      `${epsilon}`,
      mechanism,
      showSpread(largest),
      `${(1e4 * mean.mean).toFixed(3)} ±${(1e4 * mean.deviation).toFixed(3)}`,
      seconds.toFixed(0),
    ]),
  );
  return {
    figures: { seeds: count, quick, pairsOfLoans, gem: lighter, rows },
    text: [
      `Largest error, and mean error x 10^4, of all three-way marginals of adult and ${pairsOfLoans} pairs of loans; mean and standard deviation of ${count} seeds. GEM with ${lighter.batch} noise vectors and ${lighter.steps} steps a round.`,
      line(['table', 'epsilon', 'mechanism', 'largest', 'mean x 10^4', 'seconds']),
      ...body,
    ].join('\n'),
  };
};

export default experiment;
