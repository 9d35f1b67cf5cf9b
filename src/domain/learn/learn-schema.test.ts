import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normal } from '../../random/normal.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import type { AttributeSpec, CategorySpec, NumericSpec } from '../attribute/attribute.js';
import { type Columns, encodeTable } from '../encode/encode-table.js';
import { InputError } from '../input-error.js';
import { domainFromSchema } from '../schema/parse-schema.js';
import { learnSchema, schemaLearner } from './learn-schema.js';

const rows = 2000;
const column = (draw: (i: number) => unknown): unknown[] => Array.from({ length: rows }, (_, i) => draw(i));

const learn = (columns: Columns, options: { maxCategories?: number; bins?: number } = {}) =>
  learnSchema(columns, { file: 'public.csv', ...options });
const learnOne = (values: unknown[], options = {}): AttributeSpec => learn({ a: values }, options).schema.attributes[0];

describe('a survey table with codes, "N" for not applicable, incomes and areas', () => {
  const random = seeded(7);
  const income = () => {
    const u = uniform(random);
    return u < 0.1
      ? 0
      : u < 0.11
        ? -1000 * (1 + uniformInteger(random, 5))
        : 100 * Math.round(300 * Math.exp(normal(random)));
  };
  const table = {
    PUMA: column((i) => `25-0${[1300, 703, 503][i % 3]}`),
    AGEP: column(() => String(uniformInteger(random, 95))),
    SEX: column((i) => String(1 + (i % 2))),
    MSP: column((i) => (i % 5 === 0 ? 'N' : String(1 + (i % 6)))),
    INDP: column((i) => (i % 3 === 0 ? 'N' : String(170 + 10 * uniformInteger(random, 900)))),
    PINCP: column((i) => (i % 7 === 0 ? 'N' : income().toFixed(1))),
    STATE: column(() => '25'),
    SERIAL: column((i) => `2018HU${i}`),
    ROW: column((i) => String(i + 1)),
    BLANK: column(() => ''),
  };
  const { schema, notes } = learn(table);
  const spec = (name: string) => schema.attributes.find((attribute) => attribute.name === name);

  test('says that it came from public data, and how much', () => {
    expect(schema.origin).toEqual({ kind: 'public-table', file: 'public.csv', rows });
  });

  test('gives categories in natural order with a cell for other values', () => {
    expect(spec('PUMA')).toEqual({
      name: 'PUMA',
      type: 'category',
      values: ['25-0503', '25-0703', '25-01300'],
      other: 'other',
    });
  });

  test('gives few integers one cell each, with the null text found, and open ends to all but two that are a flag', () => {
    expect(spec('SEX')).toEqual({ name: 'SEX', type: 'integer', min: 1, max: 2 });
    expect(spec('MSP')).toEqual({
      name: 'MSP',
      type: 'integer',
      min: 1,
      max: 6,
      open: 'both',
      null: true,
      nullValues: ['N'],
    });
  });

  test('gives many integers about 32 bins with whole edges', () => {
    for (const name of ['AGEP', 'INDP']) {
      const { edges } = spec(name) as NumericSpec;
      expect(edges!.length).toBeGreaterThan(20);
      expect(edges!.length).toBeLessThan(45);
      expect(edges!.every(Number.isInteger)).toBe(true);
    }
  });

  test('gives incomes bins that hold zero apart, reach the negative ones, and share the rows', () => {
    const income = spec('PINCP') as NumericSpec;
    expect(income).toMatchObject({ type: 'number', null: true, nullValues: ['N'] });
    expect(income.edges).toContain(0);
    expect(income.edges![0]).toBeLessThanOrEqual(-5000);
    const index = schema.attributes.findIndex(({ name }) => name === 'PINCP');
    const codes = encodeTable(domainFromSchema(schema), table).columns[index];
    const counts = new Array<number>(income.edges!.length + 2).fill(0);
    for (const code of codes) counts[code]++;
    expect(Math.max(...counts.slice(0, -1))).toBeLessThan(rows / 5);
    expect([counts[0], counts[income.edges!.length]]).toEqual([0, 0]);
  });

  test('leaves out ids and empty columns and says why', () => {
    expect(notes.map(({ column }) => column)).toEqual(['STATE', 'SERIAL', 'ROW', 'BLANK']);
    expect(schema.attributes.map(({ name }) => name)).toEqual(['PUMA', 'AGEP', 'SEX', 'MSP', 'INDP', 'PINCP', 'STATE']);
    expect(spec('STATE')).toEqual({ name: 'STATE', type: 'category', values: ['25'], other: 'other' });
  });
});

describe('one column', () => {
  test('of true and false is boolean; of yes and no it stays text, so that it is written back alike', () => {
    expect(learnOne(['true', 'false', ''])).toEqual({ name: 'a', type: 'boolean', null: true });
    expect(learnOne([true, false])).toEqual({ name: 'a', type: 'boolean' });
    expect(learnOne(['Y', 'N', 'Y'])).toEqual({ name: 'a', type: 'category', values: ['N', 'Y'], other: 'other' });
  });

  test('of digits with leading zeros is a code, not a number', () => {
    expect(learnOne(['01', '02', '10'])).toMatchObject({ type: 'category', values: ['01', '02', '10'] });
  });

  test('of few distinct numbers with gaps has a cell for each', () => {
    expect(learnOne([2195.3, 2872.7, 1457.2, 3683.9])).toEqual({
      name: 'a',
      type: 'number',
      edges: [1400, 2000, 2500, 3000, 4000],
      open: 'both',
    });
    expect(learnOne(column((i) => [10, 20, 500][i % 3]))).toEqual({
      name: 'a',
      type: 'integer',
      edges: [10, 20, 500, 501],
      open: 'both',
    });
  });

  test('of positive numbers over orders of magnitude gets bins of equal ratio', () => {
    const random = seeded(5);
    const spec = learnOne(column(() => Math.exp(2 * normal(random) + 8))) as NumericSpec;
    expect(spec).toMatchObject({ type: 'number', bins: 32, scale: 'log' });
  });

  test('of dates is cut by a period that fits its span', () => {
    const dates = (step: number) => column((i) => new Date(Date.UTC(2010, 0, 1) + (i % 100) * step * 86_400_000));
    const by = [0.3, 10, 40, 200].map((step) => {
      const spec = learnOne(dates(step));
      return spec.type === 'date' ? spec.by : spec.type;
    });
    expect(by).toEqual(['day', 'month', 'quarter', 'year']);
    expect(learnOne(['2014-03-01', 'NA', '2014-02-28 10:00'])).toEqual({
      name: 'a',
      type: 'date',
      by: 'day',
      min: '2014-02-28',
      max: '2014-03-01',
      open: 'both',
      null: true,
      nullValues: ['NA'],
    });
  });

  test('of ids is left out: numbers of the rows with small gaps, or many numbers under the name of an id', () => {
    const ids = { row: column((i) => i + Math.floor(i / 9)), hhID: column((i) => 100 * Math.floor(i / 3)) };
    const kept = { bid: ids.hhID, paid: ids.hhID, id: column((i) => i % 80), amount: column((i) => 7 * i) };
    const { schema, notes } = learn({ ...ids, ...kept });
    expect(schema.attributes.map(({ name }) => name)).toEqual(Object.keys(kept));
    expect(notes.map(({ column }) => column)).toEqual(Object.keys(ids));
  });

  test('of numbers with commas is left out with what to do about it, and marks of a few values stay as they are', () => {
    const [thousands, rest] = [
      (i: number) => 1 + Math.floor(i / 1000),
      (i: number) => String(i % 1000).padStart(3, '0'),
    ];
    const written = {
      income: column((i) => `${thousands(i)}.${rest(i)},50`),
      paid: column((i) => `${thousands(i)},${rest(i)}.5`),
      lost: column((i) => (i % 9 === 0 ? 'NA' : `${i},25`)),
    };
    const { schema, notes } = learn({
      ...written,
      mark: column((i) => `${i % 4},5`),
      name: column((i) => `no ${i}, x`),
    });
    expect(schema.attributes.map(({ name }) => name)).toEqual(['mark']);
    expect(notes.filter(({ note }) => note.includes('decimal points')).map(({ column: name }) => name)).toEqual(
      Object.keys(written),
    );
  });

  test('of too many texts keeps the most frequent, and its other label is not one of them', () => {
    const values = column((i) => (i % 2 === 0 ? 'other' : `w${i % 50}`));
    const spec = learnOne(values, { maxCategories: 3 }) as CategorySpec;
    expect(spec.values).toEqual(['other', 'w1', 'w3']);
    expect(spec.other).toBe('(other)');
  });
});

test('whatever a public table holds, the learned schema has a cell for every value of it', () => {
  const value = fc.oneof(
    fc.constantFrom(null, undefined, '', ' ', 'N', 'NA', 'x', 'true', '007', '1e3', 'Infinity', Number.NaN, 'other'),
    fc.integer(),
    fc.bigInt(),
    fc.double(),
    fc.boolean(),
    fc.string(),
    fc.date(),
  );
  const alike = fc.oneof(
    fc.array(fc.oneof(fc.double(), fc.constantFrom('N', ''))),
    fc.array(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), { minLength: 40, maxLength: 200 }),
    fc.array(fc.oneof(fc.integer(), fc.constant(0)), { minLength: 30, maxLength: 300 }),
    fc.array(fc.nat(200).map(String), { minLength: 30, maxLength: 300 }),
    fc.array(value),
  );
  fc.assert(
    fc.property(alike, fc.integer({ min: 2, max: 40 }), (values, bins) => {
      const columns = { a: values, fixed: values.map(() => 'x') };
      fc.pre(values.length > 0);
      const { schema } = learn(columns, { bins });
      expect(encodeTable(domainFromSchema(schema), columns).length).toBe(values.length);
    }),
    { numRuns: 200 },
  );
});

test('a table learned in parts gives the schema of the whole', () => {
  const random = seeded(9);
  const whole = { a: column(() => normal(random)), b: column((i) => `v${i % 9}`) };
  const learner = schemaLearner({ file: 'public.csv' });
  for (let at = 0; at < rows; at += 333)
    learner.add({ a: whole.a.slice(at, at + 333), b: whole.b.slice(at, at + 333) });
  expect(learner.finish()).toEqual(learn(whole));
});

test('a column with more distinct numbers than are kept is binned from an even sample', () => {
  const many = Array.from({ length: 200_000 }, (_, i) => ((i * 7919) % 200_003) / 1000);
  const { edges } = learnOne(many) as NumericSpec;
  expect(edges!.length).toBeGreaterThan(25);
  expect(edges!.length).toBeLessThan(45);
  expect(edges![0]).toBeLessThanOrEqual(0);
  expect(edges!.at(-1)).toBeGreaterThanOrEqual(Math.max(...many.slice(0, 1000)));
  const widths = edges!.slice(1).map((edge, i) => edge - edges![i]);
  expect(Math.max(...widths)).toBeLessThan(15); // 200 / 32 is 6.25
});

test('a table without a usable column, and senseless limits, are refused', () => {
  expect(() => learn({ a: ['', ''] })).toThrow(InputError);
  expect(() => learn({})).toThrow(/no column/);
  expect(() => learn({ a: [[1], {}] })).toThrow(/no column/);
  expect(() => learn({ a: [1] }, { bins: 1 })).toThrow('bins: must be a whole number from 2 to 65536, got 1');
});
