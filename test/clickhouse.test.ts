import { afterAll, describe, expect, test } from 'vitest';
import { clickhouseConnection } from '../adapters/clickhouse/connection.js';
import { clickhouse } from '../adapters/clickhouse/dialect.js';
import { startClickHouse } from '../bench/engines/chdb.js';
import { expectCells } from './support/engine-cells.js';
import { expectBounds, expectCounts, expectRelease } from './support/engine-suite.js';

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
});
