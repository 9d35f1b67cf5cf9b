import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AttributeSpec } from '../../src/domain/attribute/attribute.js';
import { domainOf } from '../../src/domain/domain-of.js';
import { type Outside, outsideRules, withOutside } from '../../src/domain/schema/outside.js';
import {
  allSpecs,
  awkwardNumbers,
  awkwardSpecs,
  awkwardTexts,
  inJavaScript,
  oddTexts,
} from '../../test/support/awkward-values.js';
import { freshDatabase, sharedPostgres } from '../../test/support/postgres.js';
import { codesSql } from '../sql/codes-sql.js';
import type { Connection } from '../sql/connection.js';
import type { SqlTable } from '../sql/sql-table.js';
import { postgresConnection } from './connection.js';
import { postgres } from './dialect.js';

let login: Awaited<ReturnType<typeof freshDatabase>>;
let owner: pg.Client;
beforeAll(async () => {
  login = await freshDatabase(await sharedPostgres());
  owner = new pg.Client(login);
  await owner.connect();
});
afterAll(() => owner.end());

let tables = 0;

/** A table with one column `x` of SQL values, and a connection that sees it. */
const tableOf = async (type: string, values: readonly (string | null)[]): Promise<[Connection, SqlTable]> => {
  const name = `t${++tables}`;
  await owner.query(`CREATE TABLE ${name} (n serial, x ${type})`);
  await owner.query(`INSERT INTO ${name} (x) SELECT * FROM unnest($1::text[]::${type}[])`, [values]);
  const connection = await postgresConnection({ login, shown: 'test' });
  return [connection, { shown: 'test', sql: name, columns: await connection.columns(name) }];
};

/** Cells of a column by PostgreSQL, -1 where it has none. */
const inPostgres = async (
  connection: Connection,
  relation: SqlTable,
  spec: AttributeSpec,
  outside: Outside = 'declared',
): Promise<number[]> => {
  const domain = domainOf(withOutside({ attributes: [spec] }, outside).attributes);
  const sql = codesSql(postgres, relation, { domain, outside, attributes: [0], extra: { n: 'n' } });
  const found: number[] = [];
  await connection.query(`SELECT a0 FROM (${sql}) AS codes ORDER BY n`, {
    onRow: ([code]) => found.push(code === null ? -1 : Number(code)),
  });
  return found;
};

/** Compares a column of a type under all declarations and rules: what PostgreSQL is given, and what the encoder is. */
const expectAlike = async (
  type: string,
  values: readonly (string | null)[],
  given: readonly unknown[] = values,
): Promise<void> => {
  const [connection, relation] = await tableOf(type, values);
  for (const outside of outsideRules)
    for (const spec of allSpecs)
      expect(
        await inPostgres(connection, relation, spec, outside),
        `${outside} ${type} ${JSON.stringify(spec)}`,
      ).toEqual(inJavaScript(spec, given, outside));
  await connection.close();
};

test('text columns encode in PostgreSQL as in JavaScript, whatever the attribute, the rule for values outside, and however odd the text', async () => {
  await expectAlike('text', [...awkwardTexts, ...oddTexts, null]);
});

test('columns of doubles encode as the same numbers do in JavaScript', async () => {
  await expectAlike(
    'float8',
    [...awkwardNumbers.map((x) => (Object.is(x, -0) ? '-0' : String(x))), null],
    [...awkwardNumbers, null],
  );
});

test('columns of other types encode as their texts do in JavaScript', async () => {
  const columns: [string, (string | null)[]][] = [
    ['smallint', ['0', '1', '-9', '12', '127', null]],
    ['bigint', ['0', '-3', '9007199254740993', '-9223372036854775808', '4294967290', '99', null]],
    ['numeric', ['0.100', '0.300', '12.500', '12.000', '-9.000', '123456789012345.678', 'NaN', 'Infinity', null]],
    ['boolean', ['true', 'false', null]],
    ['date', ['2014-03-31', '1969-12-31', '0001-01-01', '9999-12-31', '1960-05-01', 'infinity', null]],
    ['timestamp', ['2014-03-31 23:59:59', '1969-12-31 00:00:00', '1970-01-05 12:00:00.25', null]],
    ['timestamptz', ['2014-03-31 23:59:59+00', '1969-12-31 00:00:00+00', null]],
    ['uuid', ['00000000-0000-0000-0000-000000000001', null]],
    ['varchar(20)', ['a', ' a', 'true', '12', null]],
  ];
  for (const [type, texts] of columns) await expectAlike(type, texts);
});

test('days beyond the calendar of four-digit years, and texts that a collation would take for equal, have no cell', async () => {
  const [days, dated] = await tableOf('date', ['infinity', '-infinity', '10000-01-01', '0044-03-15 BC']);
  expect(await inPostgres(days, dated, awkwardSpecs.date[0])).toEqual([-1, -1, -1, -1]);
  await days.close();
  await owner.query(
    `CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false); CREATE TABLE loosely (n serial, x text COLLATE loose); INSERT INTO loosely (x) VALUES ('a'), ('A'), ('á')`,
  );
  const connection = await postgresConnection({ login, shown: 'test' });
  const relation = { shown: 'test', sql: 'loosely', columns: await connection.columns('loosely') };
  for (const values of [['a'], ['a', ...Array.from({ length: 40 }, (_, i) => String(i))]])
    expect(await inPostgres(connection, relation, { name: 'x', type: 'category', values })).toEqual([0, -1, -1]);
  await connection.close();
});

test('random bins put edges, their neighbouring doubles and random numbers into the same cells', async () => {
  const shapes = fc.record({
    whole: fc.boolean(),
    low: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    width: fc.double({ min: 1, max: 1e6, noNaN: true }),
    bins: fc.integer({ min: 1, max: 60 }),
    extra: fc.array(fc.double({ noNaN: true }), { maxLength: 20 }),
    uneven: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(shapes, async ({ whole, low, width, bins, extra, uneven }) => {
      const min = whole ? Math.round(low) : low;
      const max = whole ? min + Math.ceil(width) + bins : min + width;
      const edges = Array.from({ length: bins + 1 }, (_, i) => min + ((max - min) * i) / bins);
      const spec = (
        uneven && !whole
          ? { name: 'x', type: 'number', edges: [...edges, max + 0.1] }
          : { name: 'x', type: whole ? 'integer' : 'number', min, max, bins, null: true }
      ) as AttributeSpec;
      const values = [...edges.flatMap((x) => [x, x * (1 + 2 ** -52), x * (1 - 2 ** -53), Math.round(x)]), ...extra];
      const [connection, relation] = await tableOf('float8', values.map(String));
      expect(await inPostgres(connection, relation, spec)).toEqual(inJavaScript(spec, values));
      await connection.close();
    }),
    { numRuns: 15 },
  );
});

test('random bins of columns of integers put integers around every edge, and those that no double is, into the same cells', async () => {
  const shapes = fc.record({
    min: fc.oneof(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 })),
    width: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 2 ** 32 })),
    bins: fc.integer({ min: 1, max: 40 }),
    form: fc.constantFrom('units', 'integers', 'numbers', 'even', 'uneven'),
    open: fc.constantFrom(undefined, 'below', 'above', 'both'),
    outside: fc.constantFrom(...outsideRules),
    hasNull: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(shapes, async ({ min, width, bins, form, open, outside, hasNull }) => {
      const max = min + width;
      const empty = [String(max + 1000), 'none', `${min - 7}.0`];
      const more = { ...(open === undefined ? {} : { open }), ...(hasNull ? { null: true, nullValues: empty } : {}) };
      const few = Math.min(bins, width);
      const spec = {
        name: 'x',
        ...more,
        ...{
          units: { type: 'integer', min, max: Math.min(max, min + 200) },
          integers: { type: 'integer', min, max, bins: few },
          numbers: { type: 'number', min: min - 0.5, max: max + 0.25, bins },
          even: { type: 'number', min, max: min + 3 * few, bins: few },
          uneven: { type: 'number', edges: Array.from({ length: few + 1 }, (_, i) => min + i * i * 0.5 + i) },
        }[form],
      } as AttributeSpec;
      const near = Array.from({ length: 60 }, (_, i) => Math.round(min - 10 + (i * (width + 20)) / 59));
      const around = 'edges' in spec ? [...spec.edges!].map(Math.ceil) : near;
      const numbers = [...near, ...around, min, max, max + 1000, min - 7].flatMap((x) => [x - 1, x, x + 1]);
      const beyond = ['9007199254740993', '-9223372036854775808', '9223372036854775807', null];
      const values = [...numbers.map(String), ...beyond];
      const [connection, relation] = await tableOf('bigint', values);
      const found = await inPostgres(connection, relation, spec, outside);
      expect(found, JSON.stringify([spec, outside])).toEqual(inJavaScript(spec, values, outside));
      await connection.close();
    }),
    { numRuns: 40 },
  );
});
