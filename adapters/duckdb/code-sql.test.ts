import fc from 'fast-check';
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
} from '../../test/support/awkward-values.js';
import { columnsFor } from '../sql/sql-table.js';
import { codesSql } from './code-sql.js';
import { type Database, literal, openDuckDB } from './duckdb.js';
import { tableRelation } from './relation.js';

let database: Database;
beforeAll(async () => {
  database = await openDuckDB([], { threads: 1 });
});
afterAll(() => database.close());

let tables = 0;

/** Cells of a column of SQL values by DuckDB, -1 where it has none. */
const inDuckDB = async (
  spec: AttributeSpec,
  type: string,
  values: readonly string[],
  outside: Outside = 'declared',
): Promise<number[]> => {
  const { connection } = database;
  const name = `t${++tables}`;
  await connection.run(`CREATE TABLE ${name} (${'"x"'} ${type})`);
  if (values.length > 0) await connection.run(`INSERT INTO ${name} VALUES ${values.map((v) => `(${v})`).join(', ')}`);
  const relation = await tableRelation(database, name, name);
  const { attributes } = domainOf(withOutside({ attributes: [spec] }, outside).attributes);
  const sql = await codesSql(connection, relation, attributes, columnsFor(relation, attributes), { outside });
  const rows = (await connection.runAndReadAll(sql)).getRowsJS();
  await connection.run(`DROP TABLE ${name}`);
  return rows.map(([code]) => (code === null ? -1 : Number(code)));
};

test('text columns encode in DuckDB as in JavaScript, whatever the attribute, the rule for values outside, and however odd the text', async () => {
  const values = [...awkwardTexts, null];
  const sql = values.map((value) => (value === null ? 'NULL' : literal(value)));
  for (const outside of outsideRules)
    for (const spec of allSpecs)
      expect(await inDuckDB(spec, 'VARCHAR', sql, outside), `${outside} ${JSON.stringify(spec)}`).toEqual(
        inJavaScript(spec, values, outside),
      );
});

test('columns of doubles encode as the same numbers do in JavaScript', async () => {
  const numbers = awkwardNumbers;
  const sql = [...numbers.map((x) => `'${Object.is(x, -0) ? '-0.0' : x}'::DOUBLE`), 'NULL'];
  for (const outside of outsideRules)
    for (const spec of allSpecs)
      expect(await inDuckDB(spec, 'DOUBLE', sql, outside), `${outside} ${JSON.stringify(spec)}`).toEqual(
        inJavaScript(spec, [...numbers, null], outside),
      );
});

test('columns of other types encode as their texts do in JavaScript', async () => {
  const columns: [string, (string | null)[]][] = [
    ['TINYINT', ['0', '1', '-9', '12', '127', null]],
    ['BIGINT', ['0', '-3', '9007199254740993', '-9223372036854775808', '4294967290', '99', null]],
    ['UBIGINT', ['18446744073709551615', '9007199254740993', '9007199254740992', null]],
    ['HUGEINT', ['170141183460469231731687303715884105727', '-9', '300', null]],
    ['DECIMAL(18,3)', ['0.100', '0.300', '12.500', '12.000', '-9.000', '123456789012345.678', null]],
    ['BOOLEAN', ['true', 'false', null]],
    ['DATE', ['2014-03-31', '1969-12-31', '0001-01-01', '9999-12-31', '1960-05-01', null]],
    ['TIMESTAMP', ['2014-03-31 23:59:59', '1969-12-31 00:00:00', '1970-01-05 12:00:00', null]],
    ['TIMESTAMP WITH TIME ZONE', ['2014-03-31 23:59:59+00', '1969-12-31 00:00:00+00', null]],
    ['UUID', ['00000000-0000-0000-0000-000000000001', null]],
  ];
  for (const [type, texts] of columns) {
    const sql = texts.map((text) => (text === null ? 'NULL' : `${literal(text)}::${type}`));
    for (const outside of outsideRules)
      for (const spec of allSpecs)
        expect(await inDuckDB(spec, type, sql, outside), `${outside} ${type} ${JSON.stringify(spec)}`).toEqual(
          inJavaScript(spec, texts, outside),
        );
  }
});

test('days beyond the calendar of four-digit years have no cell', async () => {
  const spec = awkwardSpecs.date[0];
  const sql = ["'infinity'::DATE", "'10000-01-01'::DATE", "'0044-03-15 (BC)'::DATE"];
  expect(await inDuckDB(spec, 'DATE', sql)).toEqual([-1, -1, -1]);
});

const rule = fc.constantFrom(...outsideRules);

const numericSpec: fc.Arbitrary<AttributeSpec> = fc
  .record({
    whole: fc.boolean(),
    ends: fc.tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: 1, max: 1e6, noNaN: true })),
    bins: fc.integer({ min: 1, max: 60 }),
    empty: fc.boolean(),
  })
  .map(({ whole, ends: [low, width], bins, empty }) => {
    const min = whole ? Math.round(low) : low;
    const max = whole ? min + Math.ceil(width) + bins : min + width;
    return {
      name: 'x',
      type: whole ? 'integer' : 'number',
      min,
      max,
      bins,
      ...(empty ? { null: true } : {}),
    } as AttributeSpec;
  });

test('random bins put edges, their neighbouring doubles and random numbers into the same cells', async () => {
  await fc.assert(
    fc.asyncProperty(
      numericSpec,
      fc.array(fc.double({ noNaN: true }), { maxLength: 20 }),
      rule,
      async (spec, extra, outside) => {
        const { min, max, bins } = spec as { min: number; max: number; bins: number };
        const edges = Array.from({ length: bins + 1 }, (_, i) => min + ((max - min) * i) / bins);
        const near = edges.flatMap((x) => [x, x * (1 + 2 ** -52), x * (1 - 2 ** -53), Math.round(x)]);
        const values = [...near, ...extra];
        const sql = values.map((x) => `'${Object.is(x, -0) ? '-0.0' : x}'::DOUBLE`);
        expect(await inDuckDB(spec, 'DOUBLE', sql, outside)).toEqual(inJavaScript(spec, values, outside));
      },
    ),
    { numRuns: 60 },
  );
});

test('random texts encode alike under random categories', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 4 }).filter((t) => !t.includes('\0'));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(text, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      fc.boolean(),
      fc.array(text, { maxLength: 12 }),
      rule,
      async (values, other, empty, extra, outside) => {
        const spec = {
          name: 'x',
          type: 'category',
          values,
          ...(other ? { other: 'the rest' } : {}),
          ...(empty ? { null: true } : {}),
        } as AttributeSpec;
        const rows = [...values, ...extra, 'the rest', ''];
        expect(await inDuckDB(spec, 'VARCHAR', rows.map(literal), outside)).toEqual(inJavaScript(spec, rows, outside));
      },
    ),
    { numRuns: 60 },
  );
});
