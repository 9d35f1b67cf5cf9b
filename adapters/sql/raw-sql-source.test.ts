import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startClickHouse } from '../../bench/engines/chdb.js';
import type { Unit } from '../../src/query/unit.js';
import { seeded } from '../../src/random/seeded.js';
import { rawMemorySource } from '../../src/source/raw-memory-source.js';
import type { RawSource, SharedValues } from '../../src/source/raw-source.js';
import { databaseOwner, type Owner } from '../../test/support/postgres-table.js';
import { clickhouseConnection } from '../clickhouse/connection.js';
import { postgresConnection } from '../postgres/connection.js';
import type { Connection } from './connection.js';
import { rawSqlSource } from './raw-sql-source.js';

/** Quotes, signs that are words of SQL, letters beyond ASCII, empty cells, both zeros, an infinity. */
const rows: readonly (readonly [string, string | null, string | null, string])[] = [
  ['p', "it's", '1.5', 'x'],
  ['p', 'plain', null, 'x'],
  ['q', "it's", '1.5', ''],
  ['q', "it's", '2', 'y; DROP'],
  ['r', 'plain', '-0', 'é:\\'],
  ['r', null, '0', 'é:\\'],
  ['s', '', '1e21', 'x'],
  ['t', 'ö', '0.1', 'z'],
  ['t', 'o', 'Infinity', 'z'],
];
const names = ['a', 'b', 'c'];
const units: readonly Unit[] = [
  { kind: 'row', maxRecords: 1 },
  { kind: 'id', column: 'who', maxRecords: 2 },
];
const asked: SharedValues = {
  columns: [
    { name: 'a', known: ["it's"] },
    { name: 'b', known: ['1.5', '', 'Infinity'] },
    { name: 'c', known: [] },
  ],
  weights: [256, 181, 147, 128, 114, 104],
};

let owner: Owner;
let clickhouse: Awaited<ReturnType<typeof startClickHouse>>;
beforeAll(async () => {
  owner = await databaseOwner();
  await owner.client.query('CREATE TABLE raw (who text, a text, b float8, c text)');
  for (const row of rows) await owner.client.query('INSERT INTO raw VALUES ($1, $2, $3::float8, $4)', [...row]);
  clickhouse = await startClickHouse();
  await clickhouse?.run(
    'CREATE TABLE raw (who String, a Nullable(String), b Nullable(Float64), c String) ENGINE = MergeTree ORDER BY tuple()',
  );
  const literal = (text: string | null) =>
    text === null ? 'NULL' : `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const list = rows.map(
    ([who, a, b, c]) =>
      `(${literal(who)}, ${literal(a)}, ${b === null ? 'NULL' : `toFloat64(${literal(b)})`}, ${literal(c)})`,
  );
  await clickhouse?.run(`INSERT INTO raw VALUES ${list.join(', ')}`);
});
afterAll(async () => {
  await owner.end();
  await clickhouse?.close();
});

const engines: Readonly<Record<string, () => Promise<Connection>>> = {
  PostgreSQL: () => postgresConnection({ login: owner.login, shown: 'here' }),
  ClickHouse: () =>
    clickhouseConnection({ url: new URL(`http://127.0.0.1:${clickhouse!.port}`), shown: 'here', isFixed: true }),
};

const opened = async (connection: Connection, unit: Unit, seed = 1): Promise<RawSource> => {
  const relation = { shown: 'raw', sql: 'raw', columns: await connection.columns('raw'), isPrivate: true };
  return rawSqlSource(connection, relation, { columns: names, unit, dataset: 'd', random: seeded(seed) });
};

const heard = async (source: RawSource): Promise<unknown[]> => {
  const found: unknown[] = [];
  for (const name of names) await source.values(name, (text, count) => found.push([name, text, count]));
  await source.shared(asked, (column, text, weight) => found.push([column, text, weight]));
  await source.together(['c', 'a'], (texts, count) => found.push([...texts, count]));
  await source.together(names, (texts, count) => found.push([...texts, count]));
  found.push(await source.rows());
  return found;
};

describe.each(Object.keys(engines))('raw columns of a table in %s', (engine) => {
  test.each(units)('are told as memory would tell them, in the same order: $kind', async (unit) => {
    if (engine === 'ClickHouse' && clickhouse === undefined) return;
    const columns = Object.fromEntries(
      names.map((name, i) => [
        name,
        rows.map((row) => (name === 'b' && row[2] !== null ? Number(row[2]) + 0 : row[i + 1])),
      ]),
    );
    const ids = unit.kind === 'id' ? rows.map(([who]) => who) : undefined;
    const memory = rawMemorySource({ columns, dataset: 'd', unit, ids, random: ids && seeded(1) });
    const connection = await engines[engine]();
    const source = await opened(connection, unit);
    expect(await heard(source)).toEqual(await heard(memory));
    await source.close();
    await expect(source.rows()).rejects.toThrow(/must be open/);
    await connection.close();
  });

  test('are cut to the bound of each id, the same rows whenever they are asked about', async () => {
    if (engine === 'ClickHouse' && clickhouse === undefined) return;
    const connection = await engines[engine]();
    const unit: Unit = { kind: 'id', column: 'who', maxRecords: 1 };
    const source = await opened(connection, unit);
    const first = await heard(source);
    expect(first.at(-1)).toBe(new Set(rows.map(([who]) => who)).size);
    expect(await heard(source)).toEqual(first);
    expect(await heard(await opened(connection, unit))).toEqual(first);
    const others = await Promise.all([2, 3, 4, 5].map(async (seed) => heard(await opened(connection, unit, seed))));
    expect(others.some((other) => JSON.stringify(other) !== JSON.stringify(first))).toBe(true);
    await connection.close();
  });
});

test('a table whose rows may change, a row without an id and a unit that has households are refused', async () => {
  const connection = await engines.PostgreSQL();
  await expect(opened({ ...connection, isFixed: false }, units[0])).rejects.toThrow(/must be of the same rows/);
  await expect(opened(connection, { kind: 'id', column: 'a', maxRecords: 1 })).rejects.toThrow(
    /column "a": is empty in a row/,
  );
  await expect(opened(connection, { kind: 'household', column: 'who', maxRecords: 2 })).rejects.toThrow(
    /discovered of rows or ids/,
  );
  await connection.close();
});
