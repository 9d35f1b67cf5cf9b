import type { Connection } from '../adapters/sql/connection.js';
import { planBatches } from '../adapters/sql/count-sql.js';
import { sqlSource } from '../adapters/sql/sql-source.js';
import { domainOf } from '../src/domain/domain-of.js';
import { type Marginal, marginal } from '../src/query/marginal.js';
import { seeded } from '../src/random/seeded.js';
import { countedWire } from './engines/counted-wire.js';
import { type EngineTable, names, sizes, tables } from './engines/tables.js';
import { type Bench, type BenchOptions, type Figure, smaller } from './figures.js';

/** Runs of each side up to so many rows; one above. */
const REPEATED = { rows: 1e6, runs: 3 };

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

const pairsOf = (attributes: number): [number, number][] =>
  names
    .slice(0, attributes)
    .flatMap((_, i) => names.slice(i + 1, attributes).map((__, j): [number, number] => [i, i + j + 1]));

/** Counts of pairs as somebody writes the SQL who knows that the columns hold codes: sets of columns in one GROUPING SETS each. */
type Hand = readonly { readonly sets: readonly (readonly number[])[]; readonly sql: string }[];

const groupingSets = (from: string, sets: readonly (readonly number[])[]): Hand[number] => {
  const used = [...new Set(sets.flat())].sort((a, b) => a - b).map((at) => names[at]);
  const listed = sets.map((set) => `(${set.map((at) => names[at]).join(', ')})`);
  return {
    sets,
    sql: `SELECT ${used.join(', ')}, count(*) FROM ${from} GROUP BY GROUPING SETS (${listed.join(', ')})`,
  };
};

/** The ways to write it, the best of which we are beside: a set for each pair in one query, a query for each pair, and larger sets that hold several pairs, as ours. */
const hands = (
  from: string,
  pairs: readonly (readonly [number, number])[],
  connection: Connection,
): Readonly<Record<string, Hand>> => ({
  'GROUPING SETS of the pairs': [groupingSets(from, pairs)],
  'GROUP BY for each pair': pairs.map((pair) => {
    const columns = pair.map((at) => names[at]).join(', ');
    return { sets: [pair], sql: `SELECT ${columns}, count(*) FROM ${from} GROUP BY ${columns}` };
  }),
  'GROUPING SETS of larger sets': planBatches(connection.dialect, pairs, sizes).map(({ covers }) =>
    groupingSets(
      from,
      covers.map(({ attributes }) => attributes),
    ),
  ),
});

/** Rows of all answers, each by the set that its columns tell, as sums over pairs; what a query's user does with it. */
const asked = async (connection: Connection, hand: Hand): Promise<number> => {
  let total = 0;
  for (const { sql } of hand)
    await connection.query(sql, {
      onRow: (row) => {
        total += Number(row.at(-1));
      },
    });
  return total;
};

const measure = async (
  table: EngineTable,
  { rows, attributes, engine }: { readonly rows: number; readonly attributes: number; readonly engine: string },
  say: BenchOptions['say'],
): Promise<Figure[]> => {
  const runs = rows <= REPEATED.rows ? REPEATED.runs : 1;
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
    const times: number[] = [];
    wire.bytes();
    let bytes = wire.bytes();
    for (let run = 0; run < runs; run++) {
      times.push(
        await seconds(async () => {
          const counts = await source!.counts(marginals, {});
          for (const table of counts)
            if (table.reduce((sum, count) => sum + count, 0) !== rows) throw new Error(`${where}: rows were lost`);
        }),
      );
      bytes = wire.bytes();
    }
    const ours = median(times);
    say(`${where}: ours ${ours.toFixed(2)} s, ${bytes.sent} bytes sent, ${bytes.received} received`);
    const own = await table.connect(table.port);
    let best = Number.POSITIVE_INFINITY;
    for (const [way, hand] of Object.entries(hands(table.from, pairs, own))) {
      const taken: number[] = [];
      const expected = rows * hand.reduce((sum, { sets }) => sum + sets.length, 0);
      for (let run = 0; run < runs; run++)
        taken.push(
          await seconds(async () => {
            if ((await asked(own, hand)) !== expected) throw new Error(`${where}: ${way} lost rows`);
          }),
        );
      say(`${where}: ${way} ${median(taken).toFixed(2)} s`);
      best = Math.min(best, median(taken));
    }
    await own.close();
    await source!.close();
    return [
      smaller(`${where}: counts, beside the best SQL by hand`, ours, best, 's'),
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
 * attributes. `--only` takes engines and numbers of rows: `--only trino,1e6`.
 */
const bench: Bench = async ({ only, say }) => {
  const words = only?.split(',').map((word) => word.trim()) ?? [];
  const unknown = words.find((word) => !(word in tables) && !(Number(word) >= 1));
  if (unknown !== undefined)
    throw new Error(`--only: takes ${Object.keys(tables).join(', ')} and numbers of rows, got ${unknown}`);
  const wanted = Object.keys(tables).filter((name) => words.includes(name));
  const numbers = words.map(Number).filter((rows) => rows >= 1);
  const figures: Figure[] = [];
  for (const engine of wanted.length === 0 ? Object.keys(tables) : wanted) {
    let table: EngineTable;
    try {
      table = await tables[engine]();
    } catch (error) {
      say(`could not have ${engine} (${String((error as Error).message).split('\n')[0]}); it was left out`);
      continue;
    }
    try {
      for (const rows of numbers.length === 0 ? [1e6, 1e7, 1e8] : numbers) {
        const made = await seconds(() => table.make(rows));
        say(`${engine}: made ${rows} rows in ${made.toFixed(1)} s`);
        for (const attributes of [10, 20]) figures.push(...(await measure(table, { rows, attributes, engine }, say)));
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
