import { afterAll, beforeAll, expect, test } from 'vitest';
import { domainOf } from '../../src/domain/domain-of.js';
import { expectSmallIntegers, type SmallColumn } from '../../test/support/engine-suite.js';
import { databaseOwner, type Owner } from '../../test/support/postgres-table.js';
import { postgresConnection } from '../postgres/connection.js';
import type { Connection, SqlValue } from './connection.js';
import { packedSql } from './packed-sql.js';

let owner: Owner;
beforeAll(async () => {
  owner = await databaseOwner();
});
afterAll(() => owner.end());

/** PostgreSQL as an engine that counts joint tables apart, and whose types say how many bits their integers have: an integer that is too large stops a query there. */
const apart = async (bits: (name: string) => number): Promise<Connection> => {
  const connection = await postgresConnection({ login: owner.login, shown: 'postgres' });
  const clamped = (x: string, least: number, greatest: number) => `least(greatest(${x}, ${least}), ${greatest})`;
  return {
    ...connection,
    dialect: { ...connection.dialect, isFasterApart: true, countsFirst: true, clamped },
    columns: async (from) => (await connection.columns(from)).map((column) => ({ ...column, bits: bits(column.name) })),
  };
};

let tables = 0;
const written = async (columns: readonly SmallColumn[]): Promise<string> => {
  const name = `small${++tables}`;
  await owner.client.query(`CREATE TABLE ${name} (${columns.map((column) => `${column.name} smallint`).join(', ')})`);
  await owner.client.query(
    `INSERT INTO ${name} SELECT * FROM unnest(${columns.map((_, i) => `$${i + 1}::smallint[]`).join(', ')})`,
    columns.map(({ values }) => [...values]),
  );
  return name;
};

test('rows that are counted before their cells are computed count as in memory, with the outermost values of every column', () =>
  expectSmallIntegers(() => apart((name) => (name < 'd' ? 8 : 16)), written));

test('a NULL that has no cell comes out as none, and is not put among the least values', async () => {
  const from = await written([
    { name: 'a', bits: 8, values: [0, null, 1] },
    { name: 'b', bits: 8, values: [1, 1, null] },
  ]);
  const connection = await apart(() => 8);
  const domain = domainOf(['a', 'b'].map((name) => ({ type: 'integer', name, min: 0, max: 1 })));
  const relation = { shown: 'test', sql: from, columns: await connection.columns(from) };
  const sql = packedSql(
    connection.dialect,
    relation,
    { domain, outside: 'declared' },
    { attributes: [0, 1], cells: 4, wanted: [0] },
  )!;
  const found: (readonly SqlValue[])[] = [];
  await connection.query(`${sql} ORDER BY cell`, { onRow: (row) => found.push(row) });
  expect(found).toEqual([
    ['1', '1'],
    [null, '2'],
  ]);
  await connection.close();
});

test('columns that do not fit into one number together are not put into one', async () => {
  const connection = await apart(() => 16);
  const names = ['a', 'b', 'c', 'd'];
  const from = await written(names.map((name) => ({ name, bits: 16, values: [0] })));
  const domain = domainOf(names.map((name) => ({ type: 'integer', name, min: 0, max: 1 })));
  const relation = { shown: 'test', sql: from, columns: await connection.columns(from) };
  const of = (attributes: readonly number[]) =>
    packedSql(
      connection.dialect,
      relation,
      { domain, outside: 'declared' },
      { attributes: [...attributes], cells: 2 ** attributes.length, wanted: [0] },
    );
  expect(of([0, 1, 2])).toBeDefined();
  expect(of([0, 1, 2, 3])).toBeUndefined();
  await connection.close();
});
