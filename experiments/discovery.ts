import type { Draft } from '../src/domain/discover/draft.js';
import { parseDraft } from '../src/domain/discover/parse-draft.js';
import { tableDecoder } from '../src/domain/encode/decode-table.js';
import { encodeTable } from '../src/domain/encode/encode-table.js';
import { domainFromSchema, parseSchema } from '../src/domain/schema/parse-schema.js';
import type { Schema } from '../src/domain/schema/schema.js';
import type { Table } from '../src/domain/table.js';
import { modelsHouseholds } from '../src/model/model.js';
import { budgetOf } from '../src/privacy/accounting/budget.js';
import type { DiscoveryDoor } from '../src/privacy/discovery/discovery-door.js';
import { openDiscovery } from '../src/privacy/discovery/open-discovery.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { memoryLedger } from '../src/privacy/ledger/memory-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import { restOf } from '../src/privacy/session/rest-of.js';
import type { Session } from '../src/privacy/session/session.js';
import { seeded } from '../src/random/seeded.js';
import { discoverSchema } from '../src/release/discover/discover-schema.js';
import { NothingFound } from '../src/release/discover/nothing-found.js';
import { anyMechanismNamed } from '../src/release/registry.js';
import { settingsOf } from '../src/release/settings.js';
import { memorySource } from '../src/source/memory-source.js';
import { rawMemorySource } from '../src/source/raw-memory-source.js';
import type { PrivateSource } from '../src/source/source.js';
import { onlyOf } from './command/only-of.js';
import { dataFolder, loadCodes } from './data/load-codes.js';
import type { Experiment } from './experiment.js';
import { costTable, foundTable } from './quoted/discovery-tables.js';

/*
 * What a discovery finds of four tables whose columns are taken for raw ones: columns of few values as texts, the others as numbers without a range.
 * It looks at the private truth, as only the laboratory may: how many of the values there are were found, how many rows have one of those, how many columns of numbers
 * were placed, and how much their fullest bins hold of what the fullest of as many bins must hold. Then what it costs: releases by MST of some columns, by the schema that was
 * found with a part of the budget, 5% and the default, and by a declared one with all of it.
 */
const tables = ['titanic', 'stroke', 'adult', 'loans'] as const;
const parts = ['found', 'cost'] as const;
const epsilons = [0.1, 0.3, 1];
/** A fixed part of the budget, and the one that follows the noisy number of rows. */
const ways = ['fixed', 'default'] as const;
const fixedShare = 0.05;
const givenShare = (way: (typeof ways)[number]): number | undefined => (way === 'fixed' ? fixedShare : undefined);
/** Columns of at most so many values are texts. */
const fewValues = 20;
const delta = 1e-9;

/** As many columns as a person would look at: all, the first 14, or these. */
const someColumns: Readonly<Partial<Record<string, readonly string[]>>> = {
  stroke: 'AGE CMPLASP CMPLHEP CNTRYNUM COUNTRY DALIVE DALIVED DAP DASP14 DASPLT DAYLOCAL DCAA DCAREND DDEAD'.split(
    ' ',
  ),
  loans:
    'loan_amnt int_rate annual_inc dti term grade sub_grade emp_length home_ownership verification_status loan_status purpose addr_state delinq_2yrs'.split(
      ' ',
    ),
};

interface Figures {
  /** Parts of the values, and of the rows that have one of those found. */
  readonly values: number;
  readonly rows: number;
  /** Part of the columns of numbers that have bins. */
  readonly placed: number;
  /** Of these, what the fullest bin holds, in parts of what the fullest of as many bins must hold. */
  readonly fullest: number;
}

const mean = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);

const columnsOf = ({ domain, columns }: Table): Record<string, string[]> =>
  Object.fromEntries(
    domain.attributes.map(({ name, size }, i) => [
      name,
      Array.from(columns[i], (code) => (size <= fewValues ? `v${code}` : String(code))),
    ]),
  );

const draftOf = ({ domain }: Table): Draft =>
  parseDraft({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: domain.attributes.map(({ name, size }) =>
      size <= fewValues ? { name, type: 'category', values: 'discover' } : { name, type: 'integer', edges: 'discover' },
    ),
  });

const judge = (
  table: Table,
  columns: Readonly<Record<string, readonly string[]>>,
  schema: Pick<Schema, 'attributes'>,
): Figures => {
  const values: number[] = [];
  const rows: number[] = [];
  const placed: number[] = [];
  const fullest: number[] = [];
  for (const { name, size } of table.domain.attributes) {
    const spec = schema.attributes.find((own) => own.name === name);
    if (size <= fewValues) {
      const known = new Set(spec?.type === 'category' ? spec.values : []);
      const there = new Set(columns[name]);
      values.push([...there].filter((value) => known.has(value)).length / there.size);
      rows.push(columns[name].filter((value) => known.has(value)).length / table.length);
    } else if (spec?.type === 'integer' && spec.edges !== undefined) {
      const atoms = new Map<string, number>();
      for (const text of columns[name]) atoms.set(text, (atoms.get(text) ?? 0) + 1);
      const { edges } = spec;
      const counts = new Float64Array(edges.length - 1);
      for (const text of columns[name]) {
        const bin = edges.findIndex((edge) => edge > Number(text));
        counts[bin < 0 ? counts.length - 1 : Math.max(0, bin - 1)]++;
      }
      // A value cannot be divided, so that no bins are fuller than the most frequent one is.
      const least = Math.max(table.length / counts.length, ...atoms.values());
      placed.push(1);
      fullest.push(Math.max(...counts) / least);
    } else placed.push(0);
  }
  return { values: mean(values), rows: mean(rows), placed: mean(placed), fullest: mean(fullest) };
};

/** A discovery of a table, and the session that goes on with what is left. */
const discoveryOf = async (columns: Readonly<Record<string, readonly string[]>>, epsilon: number, seed: number) => {
  const budget = { epsilon, delta, thresholds: { numerator: 1, denominator: 10 } };
  return openDiscovery({
    source: rawMemorySource({ columns, dataset: 'experiment' }),
    budget,
    ledger: await memoryLedger(budgetOf(budget), 'experiment'),
    entropy: seededEntropy(seed),
  });
};

/** The schema that is found and what was paid for it, or undefined where nothing is. */
const schemaFound = (
  door: DiscoveryDoor,
  table: Table,
  way: (typeof ways)[number],
): Promise<{ readonly schema: Schema; readonly share: number } | undefined> =>
  discoverSchema(door, draftOf(table), { share: givenShare(way) }).then(
    ({ schema, share }) => ({ schema, share }),
    (error: unknown) => {
      if (error instanceof NothingFound) return undefined;
      throw error;
    },
  );

const rounded = (value: number): number => Number(value.toFixed(3));

const foundPart = async (
  folder: string,
  names: readonly string[],
  seeds: number,
  quick: boolean,
  say: (line: string) => void,
) => {
  const figures = [];
  for (const name of quick ? names.slice(0, 1) : names) {
    const table = loadCodes(folder, `pgm-four/${name}`);
    const columns = columnsOf(table);
    for (const epsilon of quick ? [1] : epsilons)
      for (const way of ways) {
        const found: Figures[] = [];
        const taken: number[] = [];
        for (let seed = 0; seed < seeds; seed++) {
          const discovery = await discoveryOf(columns, epsilon, seed);
          const had = await schemaFound(discovery, table, way);
          if (had !== undefined) taken.push(had.share);
          found.push(judge(table, columns, had?.schema ?? { attributes: [] }));
        }
        const of = (key: keyof Figures): number => rounded(mean(found.map((own) => own[key])));
        figures.push({
          table: name,
          rows: table.length,
          columns: table.domain.attributes.length,
          epsilon,
          way,
          // Of runs in which something was found.
          share: taken.length === 0 ? null : rounded(mean(taken)),
          values: of('values'),
          covered: of('rows'),
          placed: of('placed'),
          // Of runs in which there are bins.
          fullest: rounded(mean(found.filter((own) => own.placed > 0).map((own) => own.fullest))),
        });
        say(JSON.stringify(figures[figures.length - 1]));
      }
  }
  return figures;
};

/** Equal bins of numbers by which releases are compared, and the schema that declares as much. */
const judgedBins = 16;

const declaredOf = ({ domain }: Table): Schema =>
  parseSchema({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: domain.attributes.map(({ name, size }) =>
      size <= fewValues
        ? { name, type: 'category', values: Array.from({ length: size }, (_, code) => `v${code}`) }
        : { name, type: 'integer', min: 0, max: size - 1, bins: Math.min(judgedBins, size) },
    ),
  });

/** Cells of a column by which releases are compared; the last is for what nobody can tell. */
const judgedCells = (size: number): number => (size <= fewValues ? size : judgedBins) + 1;

const judgedCell = (size: number, value: unknown): number => {
  if (size <= fewValues) {
    const code = /^v(\d+)$/.exec(String(value))?.[1];
    return code === undefined ? size : Number(code);
  }
  const number = value === null || value === '' ? Number.NaN : Number(value);
  if (Number.isNaN(number)) return judgedBins;
  return Math.min(judgedBins - 1, Math.max(0, Math.floor((number * judgedBins) / size)));
};

type Codes = readonly Int32Array[];

const codesOf = ({ domain }: Table, columns: Readonly<Record<string, readonly unknown[]>>, length: number): Codes =>
  domain.attributes.map(({ name, size }) =>
    Int32Array.from({ length }, (_, row) => judgedCell(size, columns[name]?.[row] ?? null)),
  );

/** Mean total variation distance over pairs of columns. */
const distanceOf = ({ domain }: Table, a: Codes, b: Codes): number => {
  const cells = domain.attributes.map(({ size }) => judgedCells(size));
  const distances: number[] = [];
  for (let i = 0; i < cells.length; i++)
    for (let j = 0; j < i; j++) {
      const differences = new Float64Array(cells[i] * cells[j]);
      for (const [codes, sign] of [
        [a, 1],
        [b, -1],
      ] as const)
        for (let row = 0; row < codes[i].length; row++)
          differences[codes[i][row] * cells[j] + codes[j][row]] += sign / codes[i].length;
      distances.push(differences.reduce((sum, difference) => sum + Math.abs(difference), 0) / 2);
    }
  return mean(distances);
};

/** What rows of a release by MST are off by. */
const releaseError = async (
  table: Table,
  columns: Readonly<Record<string, readonly string[]>>,
  schema: Schema,
  sessionOf: (source: PrivateSource) => Promise<Session>,
  seed: number,
): Promise<number> => {
  const domain = domainFromSchema(schema);
  const source = await memorySource({ table: encodeTable(domain, columns), dataset: 'experiment', threads: 1 });
  try {
    const session = restOf(await sessionOf(source));
    const mechanism = anyMechanismNamed('mst');
    const run = { random: seeded(seed), threads: 1 };
    const { model } = await mechanism.release(session, undefined, run, settingsOf(mechanism, {}));
    if (modelsHouseholds(model)) throw new Error('MST models rows');
    const rows = model.sample(table.length, seeded(seed));
    const values = tableDecoder(domain, { random: seeded(seed + 1000) })(rows.columns);
    const named = Object.fromEntries(domain.attributes.map(({ name }, i) => [name, values[i]]));
    return distanceOf(table, codesOf(table, columns, table.length), codesOf(table, named, rows.length));
  } finally {
    await source.close();
  }
};

const costPart = async (
  folder: string,
  names: readonly string[],
  seeds: number,
  quick: boolean,
  say: (line: string) => void,
) => {
  const figures = [];
  for (const name of quick ? names.slice(0, 1) : names) {
    const table = loadCodes(folder, `pgm-four/${name}`, someColumns[name]);
    const columns = columnsOf(table);
    for (const epsilon of quick ? [1] : epsilons) {
      const declared: number[] = [];
      const found = ways.map((way) => ({ way, shares: [] as number[], errors: [] as number[] }));
      for (let seed = 0; seed < seeds; seed++) {
        const budget = { epsilon, delta };
        declared.push(
          await releaseError(
            table,
            columns,
            declaredOf(table),
            async (source) =>
              openSession({
                source,
                budget,
                ledger: await memoryLedger(budgetOf(budget), 'experiment'),
                entropy: seededEntropy(seed),
              }),
            seed,
          ),
        );
        for (const { way, shares, errors } of found) {
          const discovery = await discoveryOf(columns, epsilon, seed);
          const had = await schemaFound(discovery, table, way);
          if (had === undefined) continue;
          shares.push(had.share);
          const sessionOf = async (source: PrivateSource) => discovery.session(source);
          errors.push(await releaseError(table, columns, had.schema, sessionOf, seed));
        }
      }
      figures.push({
        table: name,
        columns: table.domain.attributes.length,
        epsilon,
        declared: rounded(mean(declared)),
        // No figure where no schema was found in any run.
        found: found.map(({ way, shares, errors }) => ({
          way,
          share: shares.length === 0 ? null : rounded(mean(shares)),
          error: errors.length === 0 ? null : rounded(mean(errors)),
          none: seeds - errors.length,
        })),
      });
      say(JSON.stringify(figures[figures.length - 1]));
    }
  }
  return figures;
};

const experiment: Experiment = async ({ data, seeds = 5, quick = false, only, say }) => {
  const folder = dataFolder(data);
  const chosen = onlyOf(only, [
    ...parts,
    ...parts.flatMap((part) => tables.map((table) => `${part}-${table}` as const)),
  ]);
  const has = (part: (typeof parts)[number]) => (table: string) =>
    chosen === undefined || chosen === part || chosen === `${part}-${table}`;
  const found = await foundPart(folder, tables.filter(has('found')), seeds, quick, say);
  const cost = await costPart(folder, tables.filter(has('cost')), seeds, quick, say);
  return {
    figures: { seeds, delta, found, cost },
    text: [
      'table (rows, columns), epsilon; for 5%, then by default with the share that it took: values found, rows with one of them, numbers placed, fullest bin (1 is best)',
      ...foundTable({ found }),
      'table (columns), epsilon: error by a declared schema, by one that was found for 5%, and by default with the share that it took',
      ...costTable({ cost }),
    ].join('\n'),
  };
};

export default experiment;
