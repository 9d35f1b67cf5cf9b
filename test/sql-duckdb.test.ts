import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { domainOf } from '../src/domain/domain-of.js';
import { encodeTable } from '../src/domain/encode/encode-table.js';
import { answerSql } from '../src/evaluate/sql/answer-sql.js';
import { supportOf } from '../src/model/support/support.js';
import { supportModel } from '../src/model/support/support-model.js';
import { seeded } from '../src/random/seeded.js';
import { uniformInteger } from '../src/random/uniform.js';

// Every value has a cell of its own here, and the model is that of the rows: so SQL over the model is SQL over the rows, and DuckDB's answer.
const towns = ['Ash', 'ash', 'Oak_1', '50%', 'Élan', ''];
const domain = domainOf([
  { name: 'town', type: 'category', values: towns, null: true, nullValues: ['-'] },
  { name: 'works', type: 'boolean', null: true },
  { name: 'kids', type: 'integer', min: 0, max: 3, null: true },
  { name: 'age', type: 'integer', min: 20, max: 40 },
  { name: 'born', type: 'date', by: 'day', min: '2020-01-01', max: '2020-01-20' },
]);
const random = seeded(4);
const among = <T>(values: readonly T[]): T => values[uniformInteger(random, values.length)];
const day = () => `2020-01-${String(1 + uniformInteger(random, 20)).padStart(2, '0')}`;
const rows = Array.from({ length: 60 }, () => ({
  town: among([...towns, null]),
  works: among([true, false, null]),
  kids: among([0, 1, 2, 3, null]),
  age: 20 + uniformInteger(random, 21),
  born: day(),
}));
const columns = Object.fromEntries(
  domain.attributes.map(({ name }) => [
    name,
    rows.map((row) => row[name as keyof typeof row] ?? (name === 'town' ? '-' : null)),
  ]),
);
const model = supportModel(supportOf(encodeTable(domain, columns)), rows.length);

const simple = fc.constantFrom(
  ...['works', 'NOT works', 'kids >= 2', 'kids <> 1', 'kids IS NULL', 'age < 30', 'age BETWEEN 25 AND 33', 'age = 27'],
  ..."town LIKE 'A%' | town NOT LIKE 'A%' | town ILIKE 'as_' | town NOT ILIKE '%A%' | town LIKE '%!_%' ESCAPE '!' | town LIKE '%x%%' ESCAPE 'x'".split(
    ' | ',
  ),
  ..."town LIKE '_lan' | town LIKE '%' | town LIKE '' | town IN ('Ash', '50%') | born > '2020-01-11' | born = DATE '2020-01-03'".split(
    ' | ',
  ),
);
const condition = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    simple,
    fc.tuple(tie('any'), fc.constantFrom('AND', 'OR'), tie('any')).map(([a, join, b]) => `(${a} ${join} ${b})`),
    tie('any').map((inner) => `NOT (${inner})`),
  ),
})).any;
const caseOf = (values: readonly string[]) =>
  fc
    .tuple(
      fc.array(fc.tuple(condition, fc.constantFrom(...values)), { minLength: 1, maxLength: 3 }),
      fc.option(fc.constantFrom(...values)),
    )
    .map(
      ([branches, otherwise]) =>
        `CASE ${branches.map(([when, then]) => `WHEN ${when} THEN ${then}`).join(' ')}${otherwise === null ? '' : ` ELSE ${otherwise}`} END`,
    );
const number = fc.oneof(
  fc.constantFrom('kids', 'age'),
  caseOf(['kids', 'age', '1', '0', '-2', 'NULL']),
  fc.constantFrom('CASE kids WHEN 1 THEN age WHEN 2 THEN 7 END'),
);
const ordered = fc.oneof(fc.constantFrom('kids', 'age'), caseOf(['age', 'NULL']), caseOf(['3', '0', '-2']));
const share = fc.constantFrom(0, 0.1, 0.25, 0.5, 0.75, 0.9, 1);
const aggregate = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(
        'COUNT(*)',
        'COUNT(1)',
        'COUNT(town)',
        'COUNT(ALL kids)',
        'MIN(born)',
        'MAX(born)',
        'CORR(kids, age)',
        'CORR(age, age)',
      ),
      fc
        .tuple(
          fc.constantFrom('COUNT', 'SUM', 'AVG', 'MEAN', 'STDDEV', 'STDDEV_POP', 'VARIANCE', 'VAR_SAMP', 'VAR_POP'),
          number,
        )
        .map(([f, x]) => `${f}(${x})`),
      fc.tuple(fc.constantFrom('MIN', 'MAX', 'MEDIAN'), ordered).map(([f, x]) => `${f}(${x})`),
      fc
        .tuple(fc.constantFrom('QUANTILE', 'QUANTILE_CONT', 'QUANTILE_DISC'), ordered, share)
        .map(([f, x, p]) => `${f}(${x}, ${p})`),
      fc
        .tuple(fc.constantFrom('CONT', 'DISC'), ordered, share)
        .map(([f, x, p]) => `PERCENTILE_${f}(${p}) WITHIN GROUP (ORDER BY ${x})`),
      // DuckDB takes the share 0 of a falling order for that of a rising one.
      fc
        .tuple(
          ordered,
          share.filter((p) => p > 0),
        )
        .map(([x, p]) => `PERCENTILE_CONT(${p}) WITHIN GROUP (ORDER BY ${x} DESC)`),
      share.map((p) => `QUANTILE_DISC(born, ${p})`),
    ),
    fc.option(condition),
  )
  .map(([own, filter]) => (filter === null ? own : `${own} FILTER (WHERE ${filter})`));
const key = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('town', 'works', 'kids', 'age') },
  { weight: 1, arbitrary: caseOf(["'a'", "'b'", 'NULL']) },
  { weight: 1, arbitrary: caseOf(['town', "'Ash'", "'rest'"]) },
  { weight: 1, arbitrary: caseOf(['kids', '7', 'NULL']) },
);
const statement = fc
  .record({
    keys: fc.array(key, { maxLength: 2 }),
    columns: fc.array(aggregate, { minLength: 1, maxLength: 3 }),
    where: fc.option(condition),
  })
  .map(({ keys, columns: list, where }) => ({
    keys: keys.length,
    text:
      `SELECT ${[...keys.map((own, i) => `${own} AS k${i}`), ...list.map((own, i) => `${own} AS c${i}`)].join(', ')} FROM data${where === null ? '' : ` WHERE ${where}`}` +
      (keys.length === 0 ? '' : ` GROUP BY ${keys.map((_, i) => i + 1).join(', ')}`),
  }));

it('is what DuckDB answers over the rows, where the model is that of the rows: 300 statements', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run('CREATE TABLE data (town TEXT, works BOOLEAN, kids INTEGER, age INTEGER, born DATE)');
  const literal = (value: unknown): string =>
    value === null ? 'NULL' : typeof value === 'string' ? `'${value}'` : String(value);
  await connection.run(
    `INSERT INTO data VALUES ${rows.map((row) => `(${Object.values(row).map(literal).join(', ')})`).join(', ')}`,
  );
  const plain = (value: unknown): unknown => (value === 'NaN' ? null : value);
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(statement, async ({ text, keys }) => {
      const theirs = (await connection.runAndReadAll(text)).getRowsJson().map((row) => row.map(plain));
      const ours = answerSql(text, { model, measurements: [] })[0].rows.map(({ values }) => values);
      const keyed = (row: readonly unknown[]): string => JSON.stringify(row.slice(0, keys));
      const byKey = new Map(theirs.map((row) => [keyed(row), row]));
      expect(ours.map(keyed).sort(), text).toEqual([...byKey.keys()].sort());
      for (const row of ours)
        row.slice(keys).forEach((value, i) => {
          const right = byKey.get(keyed(row))![keys + i];
          compared++;
          if (right === null || value === null) expect({ text, value }).toEqual({ text, value: right });
          else if (typeof value === 'string') expect({ text, value }).toEqual({ text, value: right });
          else expect(Math.abs(Number(value) - Number(right)), text).toBeLessThan(1e-6 * (1 + Math.abs(Number(right))));
        });
    }),
    { numRuns: 300, seed: 11 },
  );
  expect(compared).toBeGreaterThan(1500);
});
