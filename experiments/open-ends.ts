import { madeTable } from '../bench/wide/made-table.js';
import { type DemoColumns, demoCountry, flatDemo } from '../src/demo/demo-country.js';
import type { AttributeSpec, OpenEnds } from '../src/domain/attribute/attribute.js';
import { openCells } from '../src/domain/attribute/cells.js';
import { kindOf } from '../src/domain/attribute/kinds/kinds.js';
import type { Domain } from '../src/domain/domain.js';
import { domainOf } from '../src/domain/domain-of.js';
import { type Columns, encodeTable } from '../src/domain/encode/encode-table.js';
import { learnSchema } from '../src/domain/learn/learn-schema.js';
import type { Model } from '../src/model/model.js';
import { priorOf } from '../src/model/support/prior-of.js';
import { supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import { seeded } from '../src/random/seeded.js';
import { mechanisms } from '../src/release/registry.js';
import { memorySource } from '../src/source/memory-source.js';
import type { Experiment } from './experiment.js';
import { inWorkersResuming } from './resume.js';
import { type Spread, showSpread, spreadOf } from './spread.js';

const epsilons = [0.1, 1];
const delta = 1e-9;
/** With the public table as a prior, as a learned schema has one; AIM without it as well, where an empty cell costs most. */
const contenders: Readonly<Record<string, { readonly mechanism: string; readonly isAlone?: boolean }>> = {
  reweight: { mechanism: 'reweight' },
  aim: { mechanism: 'aim' },
  'aim-alone': { mechanism: 'aim', isAlone: true },
};
const ways = ['closed', 'above', 'both'] as const;
type Way = (typeof ways)[number];

/** Made-up tables, public and private; nobody in them is real. */
interface Made {
  readonly public: Columns;
  readonly private: Columns;
}

const columnsOf = (table: DemoColumns): Columns => {
  const kept = ['age', 'sex', 'education', 'income', 'commute', 'tenure', 'moved_in', 'household_size', 'children'];
  return Object.fromEntries(kept.map((name) => [name, table[name]]));
};

const country = (seed: number, year: number, households: number): Columns =>
  columnsOf(flatDemo(demoCountry({ seed, year, households })));

const codes = (draws: number, rows: number): Columns => {
  const shape = { sizes: [2, 3, 4, 5, 8, 9, 12, 28], rows, spots: [40, 30], loose: [0.1, 0.4] as const };
  const { domain, columns } = madeTable(shape, 5, draws);
  return Object.fromEntries(domain.attributes.map(({ name }, i) => [name, columns[i]]));
};

/** Nothing lies outside in the first two (a value or two that no public row has aside); a good part does in the last. */
const tables: Readonly<Record<string, (seed: number) => Made>> = {
  'same year': (seed) => ({ public: country(7, 2018, 2500), private: country(100 + seed, 2018, 8000) }),
  codes: (seed) => ({ public: codes(1, 4000), private: codes(1 + seed, 20_000) }),
  'five years on': (seed) => ({ public: country(7, 2018, 2500), private: country(100 + seed, 2023, 8000) }),
};
const tableNames = Object.keys(tables);

/** What is learned opens both ends; the same with one or none. */
const withEnds = (spec: AttributeSpec, way: Way): AttributeSpec => {
  const closed = kindOf(spec).close?.(spec) ?? spec;
  const open: OpenEnds = 'above';
  return way === 'both' || openCells(spec).length === 0
    ? spec
    : way === 'closed'
      ? closed
      : ({ ...closed, open } as AttributeSpec);
};

/** The cell of a closed attribute that what lies in each cell was counted in. */
const foldedCells = ({ attributes }: Domain): number[][] =>
  attributes.map(({ spec, size }) => {
    const open = openCells(spec);
    const below = open.includes(0) ? 1 : 0;
    const above = open.some((cell) => cell > 0);
    const cells = kindOf(spec).cells(spec);
    return Array.from({ length: size }, (_, cell) =>
      cell === 0 ? 0 : above && cell === cells - 1 ? cell - below - 1 : cell - below - (above && cell >= cells ? 1 : 0),
    );
  });

/** The mean total variation of all pairs with open ends folded into the cells beside them, so that all ways compare. */
const pairError = (model: Model, truth: Model): number => {
  const { attributes } = model.domain;
  const folded = foldedCells(model.domain);
  let sum = 0;
  let pairs = 0;
  for (let a = 0; a < attributes.length; a++)
    for (let b = a + 1; b < attributes.length; b++) {
      const names = [attributes[a].name, attributes[b].name];
      const fold = (of: Model): Float64Array => {
        const out = new Float64Array(attributes[a].size * attributes[b].size);
        of.marginal(names).forEach((count, cell) => {
          const [i, j] = [Math.floor(cell / attributes[b].size), cell % attributes[b].size];
          out[folded[a][i] * attributes[b].size + folded[b][j]] += count / of.total;
        });
        return out;
      };
      const [own, theirs] = [fold(model), fold(truth)];
      sum += own.reduce((all, share, i) => all + Math.abs(share - theirs[i]), 0) / 2;
      pairs++;
    }
  return sum / pairs;
};

/** Mean absolute error of the shares beyond all open ends, and the true mean. */
const beyondErrors = (model: Model, truth: Model): { readonly error: number; readonly largest: number } => {
  const errors = model.domain.attributes.flatMap(({ name, spec }) => {
    const [own, theirs] = [model, truth].map((of) => of.marginal([name]).map((count) => count / of.total));
    return openCells(spec).map((cell) => ({ error: Math.abs(own[cell] - theirs[cell]), share: theirs[cell] }));
  });
  const all = errors.reduce((sum, { error }) => sum + error, 0);
  return { error: all / Math.max(1, errors.length), largest: Math.max(0, ...errors.map(({ share }) => share)) };
};

interface Run {
  readonly table: string;
  readonly contender: string;
  readonly epsilon: number;
  readonly way: Way;
  readonly seed: number;
}

interface Outcome {
  readonly pairs: number;
  readonly beyond: number;
  /** The largest true share beyond an end. */
  readonly outside: number;
  readonly seconds: number;
}

export const runJob = async ({ table, contender, epsilon, way, seed }: Run): Promise<Outcome> => {
  const made = tables[table](seed);
  const { schema } = learnSchema(made.public, { file: 'public' });
  const domain = domainOf(schema.attributes.map((spec) => withEnds(spec, way)));
  const [publicTable, privateTable] = [
    encodeTable(domain, made.public),
    encodeTable(domain, made.private, { outside: 'other' }),
  ];
  const source = await memorySource({ table: privateTable, dataset: 'experiment', threads: 1 });
  const budget = { epsilon, delta };
  const ledger = await memoryLedger(budgetOf(budget), 'experiment');
  const session = openSession({ source, budget, ledger, entropy: seededEntropy(seed) });
  const { mechanism: name, isAlone = false } = contenders[contender];
  const mechanism = mechanisms.find((one) => one.name === name)!;
  const prior = priorOf(publicTable);
  const start = performance.now();
  const run = { random: seeded(seed), threads: 1, publicTable: isAlone ? undefined : publicTable };
  const { model } = await mechanism.release(session, isAlone ? undefined : prior, run, mechanism.defaults);
  const seconds = (performance.now() - start) / 1000;
  await session.close();
  source.close();
  const truth = supportModel(supportOf(privateTable), privateTable.length);
  const { error, largest } = beyondErrors(model as Model, truth);
  return { pairs: pairError(model as Model, truth), beyond: error, outside: largest, seconds };
};

interface Row extends Omit<Run, 'seed' | 'way'> {
  readonly pairs: Readonly<Record<Way, Spread>>;
  /** Mean error of the shares beyond ends, with both open. */
  readonly beyond: Spread;
  readonly outside: number;
}

/**
 * What open ends cost where nothing lies beyond them, and what they tell where much does: mean total variation of all pairs, open ends folded
 * into the cells beside them, with the ends closed, open above and open at both sides.
 */
const experiment: Experiment = async ({ seeds = 3, quick, only, say }) => {
  const cells = (quick ? tableNames.slice(0, 1) : tableNames).flatMap((table) =>
    Object.keys(contenders)
      .filter((contender) => only === undefined || contender === only)
      .flatMap((contender) => (quick ? [1] : epsilons).map((epsilon) => ({ table, contender, epsilon }))),
  );
  const jobs = cells.flatMap((cell) =>
    ways.flatMap((way) => Array.from({ length: seeds }, (_, seed): Run => ({ ...cell, way, seed: seed + 1 }))),
  );
  const outcomes = await inWorkersResuming<Run, Outcome>(
    'open-ends',
    import.meta.url,
    jobs,
    say,
    (job, { pairs, beyond, outside, seconds }) =>
      `${job.table}, ${job.contender}, epsilon ${job.epsilon}, ${job.way}: pairs ${pairs.toFixed(4)}, beyond ${beyond.toFixed(4)} of at most ${outside.toFixed(4)}, ${seconds.toFixed(1)} s`,
  );
  const rows = cells.map((cell, i): Row => {
    const own = (way: number) => outcomes.slice((i * ways.length + way) * seeds, (i * ways.length + way + 1) * seeds);
    const pairs = ways.map((way, w) => [way, spreadOf(own(w).map((outcome) => outcome.pairs))] as const);
    const both = own(2);
    return {
      ...cell,
      pairs: Object.fromEntries(pairs) as Row['pairs'],
      beyond: spreadOf(both.map(({ beyond }) => beyond)),
      outside: Math.max(...both.map(({ outside }) => outside)),
    };
  });
  const line = (texts: readonly string[]): string => texts.map((text) => text.padEnd(20)).join('');
  const text = [
    'Mean total variation of all pairs (open ends folded), and mean error of the shares beyond ends',
    line(['table', 'contender', 'epsilon', ...ways, 'beyond, both', 'largest share there']),
    ...rows.map((row) =>
      line([
        row.table,
        row.contender,
        `${row.epsilon}`,
        ...ways.map((way) => showSpread(row.pairs[way])),
        showSpread(row.beyond),
        row.outside.toFixed(4),
      ]),
    ),
  ].join('\n');
  return { figures: { delta, seeds, rows }, text };
};

export default experiment;
