import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sparkConnection } from '../../adapters/spark/connection.js';
import { spark } from '../../adapters/spark/dialect.js';
import type { Connection } from '../../adapters/sql/connection.js';
import { checkTarget } from '../../adapters/sql/write-rows.js';
import { expectCells } from '../support/engine-cells.js';
import {
  expectBounds,
  expectCounts,
  expectHouseholdsAndValues,
  expectRelease,
  expectSmallIntegers,
  expectWritten,
} from '../support/engine-suite.js';
import { expectSurvival } from '../support/lost-worker.js';
import { busyThreads, startedEngine } from '../support/started-engine.js';

const started = startedEngine('Sail', 'Spark');

const quoted = (values: readonly (string | null)[]): string[] =>
  values.map((value) => (value === null ? 'NULL' : spark.literal(value)));
const alike = (type: string, given: readonly (string | null)[]) => ({ type, values: quoted(given), given });

const types = {
  text: { type: 'STRING', literal: (text: string | null) => quoted([text])[0] },
  double: {
    type: 'DOUBLE',
    literal: (value: number | null) => quoted([value === null ? null : Object.is(value, -0) ? '-0' : String(value)])[0],
  },
  others: [
    alike('SMALLINT', ['0', '1', '-9', '12', '127', null]),
    alike('BIGINT', ['0', '-3', '9007199254740993', '-9223372036854775807', '4294967290', '99', null]),
    alike('DECIMAL(20,3)', ['0.100', '12.500', '12.000', '-9.000', null]),
    alike('BOOLEAN', ['true', 'false', null]),
    alike('DATE', ['2014-03-31', '1969-12-31', '0001-01-01', '9999-12-31', '1960-05-01', null]),
    alike('TIMESTAMP', ['2014-03-31 23:59:59', '1969-12-31 00:00:00', null]),
  ],
};

const constants = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  `(SELECT * FROM VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')} AS v(${columns.join(', ')})) AS t`;

describe.each(started === undefined ? [] : [started])('$name', ({ name, port, groups }) => {
  let connection: Connection;
  const connect = () => sparkConnection({ host: '127.0.0.1', port, tls: false, shown: name, isFixed: true });
  beforeAll(async () => {
    connection = await connect();
  });
  afterAll(() => connection.close());

  test('computes the cell of every value as the encoder does, whatever the type, the attribute and the rule', async () => {
    const compared = await expectCells(
      connection,
      types,
      (type, values) =>
        `(SELECT n, CAST(v AS ${type}) AS x FROM VALUES ${values.map((value, i) => `(${i}, ${value})`).join(', ')} AS t(n, v)) AS t`,
    );
    expect(compared).toBeGreaterThan(10_000);
  });

  test('is known by its version', async () => {
    await connection.columns('(SELECT 1 AS x) AS t');
    expect(connection.dialect.name).toBe(name);
  });

  test('counts every pair as a loop over the rows does, for rows and for ids', () => expectCounts(connect, constants));

  test('counts households, and tells the values of columns, as memory does', () =>
    expectHouseholdsAndValues(connect, constants));

  test('counts integers of few bits as memory does, also where it counts before it looks at them', () =>
    expectSmallIntegers(connect, (columns) => {
      const lines = columns[0].values.map((_, i) => `(${columns.map(({ values }) => values[i] ?? 'NULL').join(', ')})`);
      const cast = columns.map(
        ({ name, bits }) => `CAST(${name} AS ${bits === 8 ? 'TINYINT' : 'SMALLINT'}) AS ${name}`,
      );
      const names = columns.map(({ name }) => name).join(', ');
      return `(SELECT ${cast.join(', ')} FROM VALUES ${lines.join(', ')} AS v(${names})) AS t`;
    }));

  test('keeps the same rows of an id with too many, whatever others have', () => expectBounds(connect, constants));

  test('makes a release of what an address and a query name, which verifies; what may change is refused', () =>
    expectRelease((extra) => `sc://127.0.0.1:${port}/?table=people${extra}`, constants));

  test('takes the rows of a release back, whole or not at all; Sail, which forgets tables, refuses them', async () => {
    const address = (table: string) => `sc://127.0.0.1:${port}/?table=${table}`;
    if (name === 'Spark') return expectWritten(address, connect, (table) => table);
    await expect(checkTarget(address('made'))).rejects.toThrow(/got Sail, which forgets them/);
  });

  test('ends a query there when it is told to', async () => {
    const told = new AbortController();
    // Days of work: its threads compute, or wait for a processor, until somebody ends it.
    const days = 'SELECT count(*) FROM range(0, 4000000000000000, 1, 8) WHERE id % 7 <> id % 11';
    const ended = expect(connection.query(days, { signal: told.signal, onRow: () => undefined })).rejects.toThrow(
      'told to',
    );
    await sleep(3000);
    await expect.poll(() => busyThreads(groups), { timeout: 60_000 }).toBeGreaterThan(0);
    told.abort(new Error('told to'));
    await ended;
    const busyFor = async (): Promise<number> => {
      let seen = 0;
      for (let looks = 0; looks < 5; looks++) {
        seen += busyThreads(groups);
        await sleep(100);
      }
      return seen;
    };
    await expect.poll(busyFor, { timeout: 120_000, interval: 500 }).toBe(0);
  });

  test('says nothing of the server but a code, and goes on', async () => {
    await expect(connection.columns('no_such_table_here')).rejects.toThrow(new RegExp(`^${name}: [^']*$`));
    const found: unknown[] = [];
    await connection.query("SELECT 1, CAST(2 AS BIGINT), 'x', NULL", { onRow: (row) => found.push(row) });
    expect(found).toEqual([[1, 2n, 'x', null]]);
  });
});

test.skipIf(started?.name !== 'Spark')('a release goes on where an executor is killed, and pays once', () =>
  expectSurvival(
    started!,
    `sc://127.0.0.1:${started!.port}/?table=people&fixed=true`,
    'SELECT id % 7 AS a, (id * 31 + id DIV 11) % 7 AS b FROM range(0, 50000000, 1, 8)',
  ),
);

test('a server that is not there is said to be lost', async () => {
  const nobody = await sparkConnection({ host: '127.0.0.1', port: 1, tls: false, shown: 'nobody', patience: 100 });
  await expect(nobody.query('SELECT 1', { onRow: () => undefined })).rejects.toThrow(/connection was lost/);
  await expect(nobody.recover()).rejects.toThrow(/must be within reach/);
  await nobody.close();
});
