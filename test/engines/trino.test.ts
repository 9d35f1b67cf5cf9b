import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '../../adapters/sql/connection.js';
import { checkTarget } from '../../adapters/sql/write-rows.js';
import { trinoConnection } from '../../adapters/trino/connection.js';
import { trino } from '../../adapters/trino/dialect.js';
import { expectCells } from '../support/engine-cells.js';
import {
  expectBounds,
  expectCounts,
  expectHouseholdsAndValues,
  expectRelease,
  expectWritten,
} from '../support/engine-suite.js';
import { expectSurvival } from '../support/lost-worker.js';
import { startedEngine } from '../support/started-engine.js';

const server = startedEngine('Trino');

const quoted = (values: readonly (string | null)[]): string[] =>
  values.map((value) => (value === null ? 'NULL' : trino.literal(value)));
const alike = (type: string, given: readonly (string | null)[], values = given) => ({
  type,
  values: quoted(values),
  given,
});

const types = {
  text: { type: 'varchar', literal: (text: string | null) => quoted([text])[0] },
  double: {
    type: 'double',
    literal: (value: number | null) => quoted([value === null ? null : Object.is(value, -0) ? '-0' : String(value)])[0],
  },
  others: [
    alike('smallint', ['0', '1', '-9', '12', '127', null]),
    alike('bigint', ['0', '-3', '9007199254740993', '-9223372036854775807', '4294967290', '99', null]),
    alike('decimal(20,3)', ['0.100', '12.500', '12.000', '-9.000', null]),
    alike('boolean', ['true', 'false', null]),
    alike('date', ['2014-03-31', '1969-12-31', '0001-01-01', '9999-12-31', '1960-05-01', null]),
    alike('timestamp(3)', ['2014-03-31 23:59:59', '1969-12-31 00:00:00', null]),
    alike(
      'timestamp(3) with time zone',
      ['2014-03-31 14:59:59', '1969-12-30 15:00:00', null],
      ['2014-03-31 23:59:59 Asia/Tokyo', '1969-12-31 00:00:00 Asia/Tokyo', null],
    ),
  ],
};

const constants = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  `(SELECT * FROM (VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}) AS v(${columns.join(', ')})) AS t`;

describe.skipIf(server === undefined)('Trino', () => {
  const connect = () =>
    trinoConnection({ url: new URL(`http://127.0.0.1:${server?.port}`), user: 'test', shown: 'Trino', isFixed: true });
  let connection: Connection;
  beforeAll(async () => {
    connection = await connect();
  });
  afterAll(() => connection.close());

  const asked = async (sql: string): Promise<unknown[]> => {
    const found: unknown[] = [];
    await connection.query(sql, { onRow: (row) => found.push(row) });
    return found;
  };

  test('takes the rows of a release back, whole or not at all, and to no state of a table', async () => {
    const address = (table: string) => `trino://test@127.0.0.1:${server!.port}/memory?table=default.${table}`;
    await expectWritten(address, connect, (table) => `memory.default.${table}`);
    await expect(checkTarget(`${address('more')}&version=3`)).rejects.toThrow(
      /must be a new table, got a state of one/,
    );
  });

  test('computes the cell of every value as the encoder does, whatever the type, the attribute and the rule', async () => {
    let tables = 0;
    // Of constants the coordinator would compute all cells by itself, while it plans.
    const compared = await expectCells(connection, types, async (type, values) => {
      const table = `memory.default.awkward${++tables}`;
      const rows = values.map((value, i) => `(${i}, CAST(${value} AS varchar))`).join(', ');
      await asked(`CREATE TABLE ${table} AS SELECT n, CAST(v AS ${type}) AS x FROM (VALUES ${rows}) AS t(n, v)`);
      return table;
    });
    expect(compared).toBeGreaterThan(10_000);
  });

  test('counts every pair as a loop over the rows does, for rows and for ids', () => expectCounts(connect, constants));

  test('counts households, and tells the values of columns, as memory does', () =>
    expectHouseholdsAndValues(connect, constants));

  test('keeps the same rows of an id with too many, whatever others have', () => expectBounds(connect, constants));

  test('makes a release of what an address and a query name, which verifies; what may change is refused', () =>
    expectRelease((extra) => `trino://127.0.0.1:${server!.port}/memory?table=default.people${extra}`, constants));

  test('ends a query in the cluster when it is told to, and says nothing of the server but a code', async () => {
    const long = 'SELECT count(*) FROM tpch.sf100.lineitem AS a CROSS JOIN tpch.sf100.lineitem AS b';
    const signal = AbortSignal.timeout(2000);
    await expect(connection.query(long, { signal, onRow: () => undefined })).rejects.toThrow(/timeout/);
    const states = await asked(
      `SELECT DISTINCT state FROM system.runtime.queries WHERE query = ${trino.literal(long)}`,
    );
    expect(states).toEqual([['FAILED']]);
    await expect(connection.columns('memory.default.no_such_table')).rejects.toThrow(
      /^Trino: there is no such table; check its name \(TABLE_NOT_FOUND\)$/,
    );
    const secret = "SELECT CAST('a-secret-value' AS integer)";
    await expect(asked(secret)).rejects.toThrow(/\(INVALID_CAST_ARGUMENT\)/);
    await expect(asked(secret)).rejects.not.toThrow(/a-secret-value/);
    expect(await asked("SELECT 1, BIGINT '9007199254740991', 'x', NULL")).toEqual([[1, 9007199254740991, 'x', null]]);
  });

  // The last one: there is one worker after it.
  test('a release goes on where a worker is killed, and pays once', () =>
    expectSurvival(
      server!,
      `trino://127.0.0.1:${server!.port}/tpch?table=sf1.lineitem&fixed=true`,
      'SELECT linenumber - 1 AS a, (orderkey * 31 + partkey) % 7 AS b FROM lineitem',
    ));
});
