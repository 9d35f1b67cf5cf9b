import { describe, expect, test } from 'vitest';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import type { AttributeSpec } from '../attribute/attribute.js';
import { codesAt } from '../cell-index.js';
import { decodeTable } from '../encode/decode-table.js';
import { encodeTable } from '../encode/encode-table.js';
import { InputError } from '../input-error.js';
import { domainFromSchema, parseSchema } from '../schema/parse-schema.js';
import { codeColumn, type Table } from '../table.js';
import type { ConstraintSpec } from './constraint.js';
import { constraintsOf } from './constraints-of.js';
import { brokenRows, mended, rowsKept } from './mended.js';

const schemaOf = (attributes: readonly AttributeSpec[], constraints: readonly object[]) =>
  parseSchema({ surmise: 1, origin: { kind: 'declared' }, attributes, constraints });

type Value = string | number | boolean | null;
type Person = Readonly<Record<string, Value>>;

interface Case {
  readonly attributes: readonly AttributeSpec[];
  readonly constraints: readonly ConstraintSpec[];
  /** The same in another language: what a row of values must be. */
  readonly keeps: (row: Person) => boolean;
  /** Values that cells are tried with, by column; those of unlisted columns are all that there are. */
  readonly values: Readonly<Record<string, readonly Value[]>>;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const marital = ['single', 'married', 'widowed'];

const cases: Readonly<Record<string, Case>> = {
  'a forbidden combination that cuts through a bin': {
    attributes: [
      { name: 'age', type: 'integer', edges: [0, 10, 20, 40], null: true },
      { name: 'marital', type: 'category', values: marital },
    ],
    constraints: [{ forbid: "age < 15 and marital in ('married', 'widowed')" }],
    keeps: ({ age, marital }) => !(age !== null && Number(age) < 15 && marital !== 'single'),
    values: { age: [...range(0, 40), null], marital },
  },
  'an order between bins of different edges': {
    attributes: [
      { name: 'funded', type: 'integer', edges: [0, 5, 12, 20] },
      { name: 'loan', type: 'integer', edges: [0, 3, 10, 20], null: true },
    ],
    constraints: [{ require: 'funded <= loan' }],
    keeps: ({ funded, loan }) => loan === null || Number(funded) <= Number(loan),
    values: { funded: range(0, 20), loan: [...range(0, 20), null] },
  },
  'a chain of orders whose pairs alone would allow too much': {
    attributes: [
      { name: 'a', type: 'integer', edges: [0, 5, 10] },
      { name: 'b', type: 'integer', edges: [0, 10] },
      { name: 'c', type: 'integer', edges: [0, 5, 10] },
    ],
    constraints: [{ require: 'a < b' }, { require: 'b < c' }],
    keeps: ({ a, b, c }) => Number(a) < Number(b) && Number(b) < Number(c),
    values: { a: range(0, 10), b: range(0, 10), c: range(0, 10) },
  },
  'a sum': {
    attributes: [
      { name: 'adults', type: 'integer', min: 0, max: 5 },
      { name: 'children', type: 'integer', edges: [0, 2, 6] },
      { name: 'persons', type: 'integer', edges: [0, 1, 4, 12] },
    ],
    constraints: [{ require: 'persons = adults + children' }],
    keeps: ({ adults, children, persons }) => Number(persons) === Number(adults) + Number(children),
    values: { adults: range(0, 6), children: range(0, 6), persons: range(0, 12) },
  },
  'a column that others determine': {
    attributes: [
      { name: 'grade', type: 'category', values: ['A', 'B'], other: 'rest' },
      { name: 'sub_grade', type: 'category', values: ['A1', 'A2', 'B1'], null: true },
    ],
    constraints: [{ from: 'sub_grade', to: 'grade', map: { A1: 'A', A2: 'A', B1: 'B' } }],
    keeps: ({ grade, sub_grade }) => grade === (sub_grade === null ? 'rest' : String(sub_grade)[0]),
    values: { grade: ['A', 'B', 'rest'], sub_grade: ['A1', 'A2', 'B1', null] },
  },
  'a column that is empty exactly where': {
    attributes: [
      { name: 'age', type: 'integer', edges: [0, 15, 30] },
      { name: 'job', type: 'category', values: ['clerk', 'cook'], null: true },
    ],
    constraints: [{ empty: 'job', where: 'age < 15' }],
    keeps: ({ age, job }) => (job === null) === Number(age) < 15,
    values: { age: range(0, 30), job: ['clerk', 'cook', null] },
  },
  'structural zeros as a list': {
    attributes: [
      { name: 'sex', type: 'category', values: ['f', 'm'] },
      { name: 'pregnant', type: 'boolean', null: true },
    ],
    constraints: [
      {
        of: ['pregnant', 'sex'],
        zeros: [
          [true, 'm'],
          [null, 'f'],
        ],
      },
    ],
    keeps: ({ sex, pregnant }) => !(sex === 'm' && pregnant === true) && !(sex === 'f' && pregnant === null),
    values: { sex: ['f', 'm'], pregnant: [true, false, null] },
  },
  'several that hang together': {
    attributes: [
      { name: 'marital', type: 'category', values: marital },
      { name: 'age', type: 'integer', edges: [0, 15, 18, 40] },
      { name: 'job', type: 'category', values: ['clerk', 'cook'], null: true },
      { name: 'since', type: 'integer', edges: [0, 10, 20, 40] },
    ],
    constraints: [
      { forbid: "age < 18 and marital <> 'single'" },
      { empty: 'job', where: 'age < 15' },
      { require: 'since <= age' },
      { forbid: "marital = 'single' and since > 25" },
    ],
    keeps: ({ age, marital, job, since }) =>
      !(Number(age) < 18 && marital !== 'single') &&
      (job === null) === Number(age) < 15 &&
      Number(since) <= Number(age) &&
      !(marital === 'single' && Number(since) > 25),
    values: { marital, age: range(0, 40), job: ['clerk', 'cook', null], since: range(0, 40) },
  },
};

/** Every cell of the domain as a row. */
const allRows = (domain: Table['domain']): Table => {
  const sizes = domain.attributes.map(({ size }) => size);
  const length = sizes.reduce((product, size) => product * size, 1);
  const columns = sizes.map((size) => codeColumn(size, length));
  for (let cell = 0; cell < length; cell++)
    codesAt(cell, sizes).forEach((code, a) => {
      columns[a][cell] = code;
    });
  return { domain, length, columns };
};

const keysOf = ({ columns, length }: Table): string[] =>
  Array.from({ length }, (_, row) => columns.map((column) => column[row]).join());

/** Every row of values that there can be. */
const everyRow = (values: Case['values']): Person[] =>
  Object.entries(values).reduce<Person[]>(
    (rows, [name, list]) => rows.flatMap((row) => list.map((value) => ({ ...row, [name]: value }))),
    [{}],
  );

describe.each(Object.entries(cases))('%s', (_, { attributes, constraints, keeps, values }) => {
  const domain = domainFromSchema(schemaOf(attributes, constraints));
  const columnsOf = (rows: readonly Person[]) =>
    Object.fromEntries(attributes.map(({ name }) => [name, rows.map((row) => row[name])]));
  const possible = new Set(keysOf(encodeTable(domain, columnsOf(everyRow(values).filter(keeps)))));

  test('allows the cells in which some row of values keeps it, and no others', () => {
    expect(new Set(keysOf(rowsKept(allRows(domain))))).toEqual(possible);
    expect(brokenRows(allRows(domain))).toBe(allRows(domain).length - possible.size);
  });

  test('mends every row to one that may be, leaves those that may, and gives each the same whatever rows it is among', () => {
    const all = allRows(domain);
    const before = keysOf(all);
    const after = keysOf(mended(all));
    after.forEach((key, row) => {
      expect(possible).toContain(key);
      if (possible.has(before[row])) expect(key).toBe(before[row]);
    });
    for (const row of [0, all.length >> 1, all.length - 1]) {
      const alone = { domain, length: 1, columns: all.columns.map((column) => column.slice(row, row + 1)) };
      expect(keysOf(mended(alone))).toEqual([after[row]]);
    }
  });

  test('is kept by every value that is drawn within cells, and every cell is drawn from', () => {
    const kept = rowsKept(allRows(domain));
    const random = seeded(5);
    const rows = Array.from({ length: 4000 }, () => uniformInteger(random, kept.length));
    const table = {
      domain,
      length: rows.length,
      columns: kept.columns.map((column) =>
        column.constructor === Uint8Array ? Uint8Array.from(rows, (row) => column[row]) : codeColumn(300, 0),
      ),
    };
    const decoded = decodeTable(table, { random });
    const broken = rows.filter(
      (_row, i) => !keeps(Object.fromEntries(attributes.map(({ name }) => [name, decoded[name][i]]))),
    );
    expect(broken).toEqual([]);
    expect(keysOf(encodeTable(domain, decoded))).toEqual(keysOf(table));
  });
});

test('sums of any numbers are exact, and values like public ones are kept to them', () => {
  const number = (name: string, edges: number[]): AttributeSpec => ({ name, type: 'number', edges });
  const attributes = [
    number('a', [0, 0.7, 2]),
    number('b', [0, 1.1, 3]),
    number('total', [0, 1, 2.5, 5]),
    number('part', [0, 1, 5]),
  ];
  const domain = domainFromSchema(schemaOf(attributes, [{ require: 'total = a + b' }, { require: 'part < total' }]));
  const kept = rowsKept(allRows(domain));
  const table = {
    domain,
    length: 50 * kept.length,
    columns: kept.columns.map((column) =>
      Uint8Array.from({ length: 50 * kept.length }, (_, i) => column[i % kept.length]),
    ),
  };
  const like = { a: [0.1, 0.2, 1.3], b: [0.25, 2], total: [0.5, 2], part: [0.1] };
  const { a, b, total, part } = decodeTable(table, { random: seeded(2), like });
  for (let row = 0; row < table.length; row++) {
    expect(total[row]).toBe(Number(a[row]) + Number(b[row]));
    expect(Number(part[row])).toBeLessThan(Number(total[row]));
  }
});

test('dates are kept in order within their periods', () => {
  const date = (name: string): AttributeSpec => ({
    name,
    type: 'date',
    by: 'quarter',
    min: '2014-01-01',
    max: '2015-12-31',
  });
  const domain = domainFromSchema(schemaOf([date('opened'), date('closed')], [{ require: 'opened + 30 <= closed' }]));
  const kept = rowsKept(allRows(domain));
  const table = {
    domain,
    length: 100 * kept.length,
    columns: kept.columns.map((column) =>
      Uint8Array.from({ length: 100 * kept.length }, (_, i) => column[i % kept.length]),
    ),
  };
  const { opened, closed } = decodeTable(table, { random: seeded(3) });
  for (let row = 0; row < table.length; row++)
    expect(Date.parse(String(closed[row])) - Date.parse(String(opened[row]))).toBeGreaterThanOrEqual(30 * 86_400_000);
});

describe('a constraint that cannot be kept is refused with its place and a next step', () => {
  const age: AttributeSpec = { name: 'age', type: 'integer', min: 0, max: 99 };
  const sex: AttributeSpec = { name: 'sex', type: 'category', values: ['f', 'm'] };
  const wide = (name: string): AttributeSpec => ({ name, type: 'integer', min: 0, max: 2999 });
  test.each([
    [[{ forbid: 'agee < 15' }], 'schema: constraints[0].forbid: SQL 1:1: there is no column "agee"; did you mean age?'],
    [
      [{ forbid: "sex = 'x'" }],
      'schema: constraints[0].forbid: SQL 1:7: "sex" has no such value, got \'x\'; it has f, m',
    ],
    [[{ forbid: 'age < ' }], /^schema: constraints\[0\]\.forbid: SQL 1:/],
    [
      [{ require: 'sex <= age' }],
      /^schema: constraints\[0\]\.require: SQL 1:1: columns that are compared with each other must hold numbers or dates/,
    ],
    [
      [{ forbid: 'age >= 0' }],
      'schema: constraints: must leave some row possible, got a set that forbids every one; look at constraints[0]',
    ],
    [
      [{ forbid: 'age < 50' }, { forbid: 'age >= 50' }],
      /forbids every one; look at constraints\[0\], constraints\[1\]$/,
    ],
    [
      [{ require: 'x <= y' }],
      'schema: constraints[0].require: SQL 1:1: there is no column "x"; there are age, sex, w1, w2',
    ],
    [
      [{ require: 'w1 <= w2' }],
      'schema: constraints[0]: must have at most 4194304 combinations of cells, got 9000000 of w1 (3000), w2 (3000); use coarser bins, or fewer columns in one constraint',
    ],
    [
      [{ empty: 'sex', where: 'age < 15' }],
      /^schema: constraints\[0\]\.empty: a column that is empty somewhere needs a cell for it/,
    ],
    [
      [{ from: 'sex', to: 'age', map: { f: 1 } }],
      'schema: constraints[0].map: must list every value of sex, got none for "m"; add it, or `"unlisted": "free"`',
    ],
    [
      [
        {
          from: 'sex',
          to: 'age',
          map: [
            ['f', 1],
            ['f', 2],
            ['m', 1],
          ],
        },
      ],
      /must give one cell of "age" for \["f"\], got two/,
    ],
    [
      [{ from: 'sex', to: 'age', map: 'discover' }],
      /^schema: constraints\[0\]\.map: must list what each value gives, got "discover"; .* or "discover" to have a release learn it with noise/,
    ],
    [
      [{ forbid: 'age < 3', unlisted: 'free' }],
      'schema: constraints[0].unlisted: is about a `map`, got none; take it out',
    ],
    [[{ from: 'sex', to: 'age' }], /must list what each value gives, got none; /],
    [
      [{ of: ['sex', 'age'], zeros: [['f']] }],
      'schema: constraints[0].zeros[0]: must have one cell for each of sex, age, got 1',
    ],
    [[{ forbid: 'age < 3', where: 'age < 2' }], /^schema: constraints\[0\]: must say one thing: `forbid`, /],
    [[{ forbids: 'age < 3' }], 'schema: constraints[0]: unknown key "forbids"; did you mean "forbid"?'],
    [
      [{ require: 'w1 < 9 or age < 9' }].flatMap((one) => Array.from({ length: 60 }, () => one)),
      /^schema: constraints: must have at most 16777216 combinations of cells together/,
    ],
    [[{}], /got nothing; write each constraint as an object of its own$/],
    [[{ forbid: 'age IN (SELECT age FROM data)' }], /^schema: constraints\[0\]\.forbid: SQL/],
  ] as [object[], string | RegExp][])('%j', (constraints, message) => {
    const make = () => schemaOf([age, sex, wide('w1'), wide('w2')], constraints);
    expect(make).toThrow(InputError);
    expect(make).toThrow(message);
  });
});

test('a household is mended alike for all its persons, and keeps its number of persons', () => {
  const schema = parseSchema({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [
      { name: 'age', type: 'integer', edges: [0, 15, 40] },
      { name: 'tenure', type: 'category', values: ['own', 'rent', 'free'] },
      { name: 'rooms', type: 'integer', min: 1, max: 3 },
    ],
    twoLevel: { key: 'home', household: ['tenure', 'rooms'], maxSize: 3, size: 'persons' },
    constraints: [
      { forbid: "tenure = 'free' and rooms > 1" },
      { forbid: "tenure = 'own' and age < 15" },
      { forbid: 'persons = 3 and rooms = 1' },
    ],
  });
  const domain = domainFromSchema(schema);
  const after = mended(allRows(domain));
  const before = allRows(domain);
  const at = (name: string) => domain.attributes.findIndex((attribute) => attribute.name === name);
  const homes = new Map<string, string>();
  expect(brokenRows(after)).toBe(0);
  for (let row = 0; row < before.length; row++) {
    const own = (table: Table) => ['tenure', 'rooms', 'persons'].map((name) => table.columns[at(name)][row]).join();
    expect(homes.get(own(before)) ?? own(after)).toBe(own(after));
    homes.set(own(before), own(after));
    expect(after.columns[at('persons')][row]).toBe(before.columns[at('persons')][row]);
  }
  expect(() => parseSchema({ ...schema, constraints: [{ forbid: 'persons = 2' }] })).toThrow(
    /must leave every number of persons possible/,
  );
  expect(constraintsOf(domain)?.groups).toEqual([]);
});
