import { afterAll, describe, expect, test } from 'vitest';
import { clickhouseConnection } from '../adapters/clickhouse/connection.js';
import { clickhouse } from '../adapters/clickhouse/dialect.js';
import { LostConnection } from '../adapters/sql/connection.js';
import { type ClickHouse, startClickHouse } from '../bench/engines/chdb.js';
import { expectCells } from './support/engine-cells.js';
import { expectBounds, expectCounts, expectRelease, expectWritten } from './support/engine-suite.js';

// The engine has no build for some machines, such as those with Windows.
const engine = await startClickHouse();
afterAll(() => engine?.close());

const connect = () =>
  clickhouseConnection({ url: new URL(`http://127.0.0.1:${engine!.port}`), shown: 'chdb', isFixed: true });

const quoted = (values: readonly (string | null)[]): string[] =>
  values.map((value) => (value === null ? 'NULL' : clickhouse.literal(value)));
const alike = (type: string, given: readonly (string | null)[], values = given) => ({
  type: `Nullable(${type})`,
  values: quoted(values),
  given,
});

const types = {
  text: { type: 'Nullable(String)', literal: (text: string | null) => quoted([text])[0] },
  double: {
    type: 'Nullable(Float64)',
    literal: (value: number | null) => quoted([value === null ? null : Object.is(value, -0) ? '-0' : String(value)])[0],
  },
  others: [
    alike('Int16', ['0', '1', '-9', '12', '127', null]),
    alike('Int64', ['0', '-3', '9007199254740993', '-9223372036854775807', '4294967290', '99', null]),
    // Columns without NULL.
    ...[
      ['UInt8', ['0', '1', '9', '12', '127', '255']],
      ['Int32', ['0', '-9', '12', '-2147483648', '2147483647']],
      ['UInt64', ['0', '12', '99', '9007199254740993', '18446744073709551615']],
    ].map(([type, values]) => ({ ...alike(type as string, values as string[]), type: type as string })),
    alike('Decimal(20, 3)', ['0.1', '12.5', '12', '-9', null]),
    alike('Bool', ['true', 'false', null]),
    alike('FixedString(5)', ['a', 'true', '12', null]),
    alike("Enum8('a' = 1, 'b' = 2, '12' = 3)", ['a', '12', null]),
    alike('Date32', ['2014-03-31', '1969-12-31', '1960-05-01', '2299-12-31', null]),
    alike('Date', ['2014-03-31', '1970-01-05', null]),
    alike(
      "DateTime64(3, 'Asia/Tokyo')",
      ['2014-03-31 14:59:59.000', '1969-12-30 15:00:00.000', null],
      ['2014-03-31 23:59:59', '1969-12-31 00:00:00', null],
    ),
  ],
};

const constants = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  `(SELECT ${columns.map((name, i) => `t.${i + 1} AS ${name}`).join(', ')} FROM (SELECT arrayJoin([${rows.map((row) => `(${row.join(', ')})`).join(', ')}]) AS t)) AS t`;

describe.skipIf(engine === undefined)('ClickHouse', () => {
  test('computes the cell of every value as the encoder does, whatever the type, the attribute and the rule', async () => {
    const compared = await expectCells(
      await connect(),
      types,
      (type, values) =>
        `(SELECT n, CAST(v AS ${type}) AS x FROM (SELECT number AS n, CAST([${values.join(', ')}] AS Array(Nullable(String)))[number + 1] AS v FROM numbers(${values.length}))) AS t`,
    );
    expect(compared).toBeGreaterThan(10_000);
  });

  test('counts every pair as a loop over the rows does, for rows and for ids', () => expectCounts(connect, constants));

  test('keeps the same rows of an id with too many, whatever others have', () => expectBounds(connect, constants));

  test('makes a release of what an address and a query name, which verifies; what may change is refused', () =>
    expectRelease((extra) => `clickhouse://127.0.0.1:${engine!.port}/default?table=people${extra}`, constants));

  test('takes the rows of a release back, whole or not at all', async () => {
    await expectWritten(
      (table) => `clickhouse://127.0.0.1:${engine!.port}/?table=${table}`,
      connect,
      (table) => table,
    );
    // Nothing is left of what broke off.
    expect(await engine!.run("SELECT name FROM system.tables WHERE name LIKE 'half%' OR name LIKE 'made_%'")).toBe('');
  });

  test('sends every query with settings that keep it out of logs and caches, and leaves out what a server does not know', async () => {
    const connection = await clickhouseConnection({
      url: new URL(`http://127.0.0.1:${engine!.port}`),
      database: 'default',
      user: 'reader',
      password: 'hush',
      shown: 'chdb',
    });
    engine!.heard.length = 0;
    const rows: unknown[] = [];
    await connection.query("SELECT 1, toInt64(2), 'x', NULL", { onRow: (row) => rows.push(row) });
    expect(rows).toEqual([[1, '2', 'x', null]]);
    const [asked, query] = engine!.heard;
    expect(asked.sql).toMatch(/FROM system.settings/);
    const off = ['log_queries', 'log_query_threads', 'log_processors_profiles', 'use_query_cache'];
    for (const name of off) expect(query.settings.get(name), name).toBe('0');
    expect(Object.fromEntries(query.settings)).toMatchObject({
      readonly: '2',
      session_timezone: 'UTC',
      database: 'default',
    });
    expect(query.headers).toMatchObject({ 'x-clickhouse-user': 'reader', 'x-clickhouse-key': 'hush' });
    expect(String(query.settings)).not.toContain('hush');
    // Of a server that knows none of them.
    engine!.instead = (sql) => ({ status: 200, body: sql.includes('system.settings') ? '' : '[1]\n' });
    const old = await connect();
    await old.query('SELECT 1', { onRow: () => undefined });
    engine!.instead = undefined;
    expect(engine!.heard.at(-1)!.settings.has('use_query_cache')).toBe(false);
  });

  test('ends the connection of a query that is stopped, so that the server ends the query', async () => {
    const connection = await connect();
    await connection.query('SELECT 1', { onRow: () => undefined });
    engine!.instead = () => 'wait';
    const stop = new AbortController();
    const asked = connection.query('SELECT 2', { signal: stop.signal, onRow: () => undefined });
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(asked).rejects.toThrow('enough');
    await expect.poll(() => engine!.dropped).toContain('SELECT 2');
    engine!.instead = undefined;
    await connection.query('SELECT 1', { onRow: () => undefined });
  });

  test('tells errors by their numbers alone: lost where the server may answer later, else what to do', async () => {
    const connection = await connect();
    await connection.query('SELECT 1', { onRow: () => undefined });
    const said = (instead: ReturnType<NonNullable<ClickHouse['instead']>>) => {
      engine!.instead = () => instead;
      return connection.query('SELECT 1', { onRow: () => undefined }).then(
        () => expect.fail('it must fail'),
        (error: Error) => error,
      );
    };
    const saying = (code: number, before = '') => `${before}Code: ${code}. DB::Exception: a-secret-value (NAME)\n`;
    const lost = ['hang up', { status: 503, body: '' }, { status: 500, body: saying(202) }] as const;
    for (const instead of lost) expect(await said(instead)).toBeInstanceOf(LostConnection);
    const told: [number, string, RegExp][] = [
      [404, saying(60), /^chdb: there is no such table; check its name \(60\)$/],
      [500, saying(164), /readonly = 2 \(164\)$/],
      [500, saying(999), /^chdb: ClickHouse could not answer \(999\)$/],
      // A server that fails after it began to answer says so in the body, within a line or after one.
      [200, saying(241, '[1]\n'), /raise max_memory_usage.* \(241\)$/],
      [200, saying(159, '[1, "a-secret-val'), /max_execution_time.* \(159\)$/],
      [200, `[1]\r\n__exception__\r\ntag\r\n${saying(396)}13 tag\r\n__exception__\r\n`, /max_result_rows.* \(396\)$/],
      [200, '<html>a-secret-value</html>', /^chdb: ClickHouse could not answer \(unknown\)$/],
    ];
    for (const [status, body, sentence] of told) {
      const { message } = await said({ status, body });
      expect(message).toMatch(sentence);
      expect(message).not.toContain('a-secret-val');
    }
    engine!.instead = undefined;
    await expect(connection.columns('no_such_table')).rejects.toThrow(/^chdb: there is no such table/);
  });
});
