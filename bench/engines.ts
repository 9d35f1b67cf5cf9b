import type { Connection } from '../adapters/sql/connection.js';
import { planBatches } from '../adapters/sql/count-sql.js';
import type { Dialect } from '../adapters/sql/dialect.js';
import { sqlSource } from '../adapters/sql/sql-source.js';
import { domainOf } from '../src/domain/domain-of.js';
import { type Marginal, marginal } from '../src/query/marginal.js';
import { seeded } from '../src/random/seeded.js';
import { countedWire } from './engines/counted-wire.js';
import { type EngineTable, names, sizes, tables } from './engines/tables.js';
import { type Bench, type BenchOptions, type Figure, smaller } from './figures.js';

/**
 * Both sides are run so often, one after the other, of which the fastest counts; no round is begun after so many seconds. Engines that compile what comes again and again do so at
 * the third time, which takes longer than any other.
 */
const ROUNDS = { most: 8, seconds: 60 };

/** Rows of a table on which ways by hand are tried before a large one is made, and how often. */
const TRIAL = { rows: 3e5, rounds: 2 };

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

const pairsOf = (attributes: number): [number, number][] =>
  names
    .slice(0, attributes)
    .flatMap((_, i) => names.slice(i + 1, attributes).map((__, j): [number, number] => [i, i + j + 1]));

/** Counts of pairs as somebody writes the SQL who knows that the columns hold codes, and what the rows of all answers add up to, in rows of the table. */
interface Hand {
  readonly queries: readonly string[];
  readonly sets: number;
}

/** The ways by hand, by the word that `--only` takes for each. */
const wayNames: Readonly<Record<string, string>> = {
  'by-each': 'larger sets as numbers, a GROUP BY each',
  'one-pass': 'larger sets as numbers, in one pass',
  'by-columns': 'larger sets by their columns, GROUPING SETS',
  'pair-sets': 'pairs, GROUPING SETS',
  'each-pair': 'pairs, a GROUP BY each',
};

type Sets = readonly (readonly number[])[];

const groupingSets = (from: string, sets: Sets): string => {
  const used = [...new Set(sets.flat())].sort((a, b) => a - b).map((at) => names[at]);
  const listed = sets.map((set) => `(${set.map((at) => names[at]).join(', ')})`);
  return `SELECT ${used.join(', ')}, count(*) FROM ${from} GROUP BY GROUPING SETS (${listed.join(', ')})`;
};

/** Several columns of codes as one number, without a look at what they hold. */
const packed = ({ toInteger }: Dialect, set: readonly number[]): string =>
  toInteger(
    set.map((at) => names[at]).reduce((sum, name, i) => `(${sum} * ${sizes[set[i]]} + ${name})`),
    16,
  );

/**
 * The ways to write it, the best of which we are beside. Pairs in one query or in a query each; or larger sets that the pairs are summed out of, the same
 * ones as ours: by their columns, or by one number each, in one pass (with what the engine's dialect has for that) or by a GROUP BY each.
 */
const hands = (
  from: string,
  pairs: readonly (readonly [number, number])[],
  { dialect }: Connection,
): Readonly<Record<string, Hand>> => {
  const batches = planBatches(dialect, pairs, sizes).map(({ covers }) => covers.map(({ attributes }) => attributes));
  const sets = batches.flat().length;
  const numbered = (batch: Sets) => batch.map((set, i) => `${packed(dialect, set)} AS c${i}`).join(', ');
  return {
    [wayNames['by-each']]: {
      sets,
      queries: batches.map((batch) =>
        batch
          .map(
            (set, i) =>
              `SELECT ${i} AS place, cell, count(*) AS n FROM (SELECT ${packed(dialect, set)} AS cell FROM ${from}) AS t GROUP BY cell`,
          )
          .join(' UNION ALL '),
      ),
    },
    [wayNames['one-pass']]: {
      sets,
      queries: batches.map((batch) =>
        dialect.counts(
          batch.map((_, i) => ({ name: `c${i}`, bits: 16 })),
          `(SELECT ${numbered(batch)} FROM ${from}) AS joint`,
        ),
      ),
    },
    [wayNames['by-columns']]: { sets, queries: batches.map((batch) => groupingSets(from, batch)) },
    [wayNames['pair-sets']]: { sets: pairs.length, queries: [groupingSets(from, pairs)] },
    [wayNames['each-pair']]: {
      sets: pairs.length,
      queries: pairs.map((pair) => {
        const columns = pair.map((at) => names[at]).join(', ');
        return `SELECT ${columns}, count(*) FROM ${from} GROUP BY ${columns}`;
      }),
    },
  };
};

/** The numbers of rows in all answers together; what a query's user does with it is left out. */
const asked = async (connection: Connection, { queries }: Hand, signal: AbortSignal): Promise<number> => {
  let total = 0;
  for (const sql of queries)
    await connection.query(sql, {
      signal,
      onRow: (row) => {
        total += Number(row.at(-1));
      },
    });
  return total;
};

/** The fastest way by hand so far, of those that are left. A way that takes much longer than that is stopped, and not tried again, on larger tables neither. */
const byHand = (connection: Connection, ways: Readonly<Record<string, Hand>>, rows: number, left: Set<string>) => {
  const best = { way: '', seconds: Number.POSITIVE_INFINITY };
  // Engines that compile queries take several times as long for a first one.
  let patience = 4;
  return {
    best,
    round: async (say: (line: string) => void): Promise<void> => {
      for (const way of left) {
        const limit = Number.isFinite(best.seconds) ? Math.max(patience * best.seconds, 5) : 1800;
        const signal = AbortSignal.timeout(Math.round(1000 * limit));
        try {
          const taken = await seconds(async () => {
            if ((await asked(connection, ways[way], signal)) !== rows * ways[way].sets)
              throw new Error('rows were lost');
          });
          say(`${way} ${taken.toFixed(2)} s`);
          if (taken > patience * best.seconds && way !== best.way) left.delete(way);
          if (taken < best.seconds) Object.assign(best, { way, seconds: taken });
        } catch (error) {
          if ((error as Error).message === 'rows were lost') throw error;
          left.delete(way);
          say(`${way}: ${signal.aborted ? `stopped after ${limit.toFixed(0)} s` : String((error as Error).message)}`);
        }
      }
      patience = 1.5;
    },
  };
};

const measure = async (
  table: EngineTable,
  {
    rows,
    attributes,
    engine,
    left,
    told,
    rounds = ROUNDS.most,
  }: {
    readonly rows: number;
    readonly attributes: number;
    readonly engine: string;
    /** Ways by hand that are worth trying; all where there is none. */
    readonly left: Set<string>;
    /** The ways that were asked for; all where there is none. */
    readonly told: readonly string[];
    readonly rounds?: number | undefined;
  },
  say: BenchOptions['say'],
): Promise<Figure[]> => {
  const wire = await countedWire(table.port);
  const where = `${engine}, ${rows.toExponential().replace('e+', 'e')} rows, pairs of ${attributes}`;
  try {
    const connection = await table.connect(wire.port);
    const columns = (await connection.columns(table.from)).filter(({ name }) =>
      names.slice(0, attributes).includes(name),
    );
    const domain = domainOf(
      names.slice(0, attributes).map((name, i) => ({ type: 'integer', name, min: 0, max: sizes[i] - 1 })),
    );
    const relation = { shown: engine, sql: table.from, columns };
    let source: Awaited<ReturnType<typeof sqlSource>> | undefined;
    const opening = await seconds(async () => {
      source = await sqlSource(connection, relation, domain, {
        dataset: 'bench',
        unit: { kind: 'row', maxRecords: 1 },
        random: seeded(1),
      });
    });
    say(`${where}: opened in ${opening.toFixed(2)} s`);
    const pairs = pairsOf(attributes);
    const marginals: Marginal[] = pairs.map(([a, b]) => marginal(names[a], names[b]));
    // The bytes of either side are counted, so that neither has a shorter way.
    const own = await table.connect(wire.port);
    const ways = hands(table.from, pairs, own);
    const isFirst = left.size === 0;
    // What takes long for a small table because of what it takes to begin may be the fastest for a large one: those ways that count as ours are tried on each.
    for (const way of told.length > 0 ? told : Object.keys(ways))
      if (isFirst || way.includes('as numbers')) left.add(way);
    const hand = byHand(own, ways, rows, left);
    let ours = Number.POSITIVE_INFINITY;
    let bytes = { sent: 0, received: 0 };
    const begun = performance.now();
    for (let round = 0; round < rounds; round++) {
      if (round > 0 && performance.now() - begun > 1000 * ROUNDS.seconds) break;
      wire.bytes();
      const taken = await seconds(async () => {
        const counts = await source!.counts(marginals, {});
        for (const table of counts)
          if (table.reduce((sum, count) => sum + count, 0) !== rows) throw new Error(`${where}: rows were lost`);
      });
      bytes = wire.bytes();
      ours = Math.min(ours, taken);
      say(`${where}: ours ${taken.toFixed(2)} s, ${bytes.sent} bytes sent, ${bytes.received} received`);
      await hand.round((line) => say(`${where}: by hand, ${line}`));
    }
    say(`${where}: ${(ours / hand.best.seconds).toFixed(2)} times the best by hand (${hand.best.way})`);
    await own.close();
    await source!.close();
    return [
      smaller(`${where}: counts, beside the best SQL by hand`, ours, hand.best.seconds, 's'),
      smaller(`${where}: opening, where every value is checked`, opening, null, 's'),
      smaller(`${where}: sent`, bytes.sent, null, 'bytes'),
      smaller(`${where}: received`, bytes.received, null, 'bytes'),
    ];
  } finally {
    wire.close();
  }
};

/**
 * All pairs of 20 attributes, of 2 to 21 cells, in engines that hold the rows, beside the best SQL that somebody writes for the same counts; and of 10
 * attributes. `--only` takes engines, numbers of rows, numbers of attributes and ways by hand: `--only trino,1e6,20`, and `--only trino,1e8,20,one-pass` where a smaller
 * table has told which way is the fastest.
 */
const bench: Bench = async ({ only, say }) => {
  // Engines are processes of their own, which end with this one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const words = only?.split(',').map((word) => word.trim()) ?? [];
  const numbers = words.map(Number).filter((number) => number >= 2);
  const unknown = words.find((word) => !(word in tables) && !(word in wayNames) && !(Number(word) >= 2));
  if (unknown !== undefined)
    throw new Error(
      `--only: takes ${Object.keys(tables).join(', ')}, numbers of rows and of attributes, and ways by hand (${Object.keys(wayNames).join(', ')}), got ${unknown}`,
    );
  const chosen = <T>(all: readonly T[], some: readonly T[]): readonly T[] => (some.length === 0 ? all : some);
  const engines = Object.keys(tables).filter((name) => words.includes(name));
  const sizesOfTables = numbers.filter((number) => number > names.length);
  const widths = numbers.filter((number) => number <= names.length);
  const told = words.filter((word) => word in wayNames).map((word) => wayNames[word]);
  const figures: Figure[] = [];
  for (const engine of chosen(Object.keys(tables), engines)) {
    let table: EngineTable;
    try {
      table = await tables[engine]();
    } catch (error) {
      say(`could not have ${engine} (${String((error as Error).message).split('\n')[0]}); it was left out`);
      continue;
    }
    const left = new Map(names.map((_, i) => [i + 1, new Set<string>()]));
    try {
      const asked = chosen([1e6, 1e7, 1e8], sizesOfTables);
      // Where there is no smaller one, a small table tells which ways are worth trying on a large one.
      if (asked[0] > 1e6) {
        await table.make(TRIAL.rows);
        for (const attributes of chosen([10, 20], widths))
          await measure(table, { ...TRIAL, attributes, engine, left: left.get(attributes)!, told }, say);
      }
      for (const rows of asked) {
        const made = await seconds(() => table.make(rows));
        say(`${engine}: made ${rows} rows in ${made.toFixed(1)} s`);
        for (const attributes of chosen([10, 20], widths))
          figures.push(...(await measure(table, { rows, attributes, engine, left: left.get(attributes)!, told }, say)));
      }
    } catch (error) {
      say(`${engine}: ended early (${String((error as Error).message).split('\n')[0]})`);
    } finally {
      await table.stop();
    }
  }
  return figures;
};

export default bench;
