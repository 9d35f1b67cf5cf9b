import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { domainOf } from '../domain-of.js';
import { encodeTable } from '../encode/encode-table.js';
import { InputError } from '../input-error.js';
import type { AttributeSpec, NumericSpec } from './attribute.js';
import { binEdges } from './bin-edges.js';
import { columnEncoder, EMPTY, UNDECLARED } from './column-encoder.js';

const encoder = (spec: AttributeSpec) => columnEncoder(domainOf([spec]).attributes[0]);
const codes = (spec: AttributeSpec, values: readonly unknown[]) => values.map(encoder(spec));

describe('categories', () => {
  test('compare as text: numbers, bigints and booleans by their usual spelling, minus zero as 0', () => {
    const spec: AttributeSpec = { name: 'a', type: 'category', values: ['1', '0', 'true', '9007199254740993'] };
    expect(codes(spec, [1, '1', 1n, -0, true, 9007199254740993n, '01', ' 1', {}])).toEqual([
      0,
      0,
      0,
      1,
      2,
      3,
      UNDECLARED,
      UNDECLARED,
      UNDECLARED,
    ]);
  });

  test('put undeclared values in `other` and empty ones in the last cell', () => {
    const spec: AttributeSpec = {
      name: 'a',
      type: 'category',
      values: ['x'],
      other: 'o',
      null: true,
      nullValues: ['N'],
    };
    expect(codes(spec, ['x', 'z', 'o', 'N', '', null, undefined, Number.NaN, '__proto__'])).toEqual([
      0, 1, 1, 2, 2, 2, 2, 2, 1,
    ]);
  });

  test('take an empty text as a value when it is declared', () => {
    expect(codes({ name: 'a', type: 'category', values: ['', 'x'], null: true }, ['', null])).toEqual([0, 2]);
    expect(codes({ name: 'a', type: 'category', values: ['', 'x'] }, ['', null])).toEqual([0, EMPTY]);
  });
});

test('booleans read the usual words in any case, and nothing else', () => {
  const yes = [true, 1, 1n, '1', 'true', 'TRUE', ' Yes ', 't', 'Y'];
  const no = [false, 0, 0n, '0', 'false', 'False', 'no', 'F', 'n'];
  expect(codes({ name: 'b', type: 'boolean' }, yes)).toEqual(yes.map(() => 1));
  expect(codes({ name: 'b', type: 'boolean' }, no)).toEqual(no.map(() => 0));
  expect(codes({ name: 'b', type: 'boolean' }, [2, 'ja', '', null])).toEqual([UNDECLARED, UNDECLARED, EMPTY, EMPTY]);
  expect(codes({ name: 'b', type: 'boolean', null: true, nullValues: ['N'] }, ['N', 'n', ''])).toEqual([2, 0, 2]);
});

describe('numbers', () => {
  const spec: NumericSpec = { name: 'n', type: 'number', edges: [0, 0.5, 1] };

  test('fall in half-open bins, clamp outside, and the last bin holds its upper edge', () => {
    const values = [-1, -0, 0, 0.49, 0.5, 1, 7, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2n ** 70n];
    expect(codes(spec, values)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 0, 1]);
  });

  test('are read from plain decimal text only', () => {
    expect(codes(spec, ['.5', '5.', '+0.1', ' 1e-1 ', '-3', '1e999', '-0'])).toEqual([1, 1, 0, 0, 0, 1, 0]);
    const odd = ['inf', 'Infinity', 'nan', 'NaN', '0x1', '1,5', '1_0', '1e', '.', '-', '1 2', 'x', true, {}, []];
    expect(codes(spec, odd)).toEqual(odd.map(() => UNDECLARED));
  });

  test('that are NaN or empty go to the null cell, or are an error without one', () => {
    const empties = [Number.NaN, '', '  ', null, undefined];
    expect(codes(spec, empties)).toEqual(empties.map(() => EMPTY));
    expect(codes({ ...spec, null: true }, empties)).toEqual(empties.map(() => 2));
  });

  test('treat a null text that spells a number as that number however it is written', () => {
    const nulls: NumericSpec = { ...spec, null: true, nullValues: ['-9', 'N'] };
    expect(codes(nulls, [-9, '-9', '-9.0', -9n, 'N', ' N', -8])).toEqual([2, 2, 2, 2, 2, 2, 0]);
  });
});

describe('integers', () => {
  test('with min and max alone have one cell each and clamp', () => {
    const spec: NumericSpec = { name: 'i', type: 'integer', min: -2, max: 2 };
    expect(codes(spec, [-9, -2, -1, 0, -0, 2, '2.0', '1e0', 3, Number.POSITIVE_INFINITY])).toEqual([
      0, 0, 1, 2, 2, 4, 4, 3, 4, 4,
    ]);
    expect(codes(spec, [0.5, '0.5'])).toEqual([UNDECLARED, UNDECLARED]);
  });

  test('beyond 2^53 compare as doubles, whether bigint or text', () => {
    const spec: NumericSpec = { name: 'i', type: 'integer', min: 2 ** 53 - 10, max: 2 ** 53 - 1, bins: 2 };
    expect(codes(spec, ['9007199254740993', 9007199254740993n, '9007199254740982'])).toEqual([1, 1, 0]);
  });
});

test('every number falls in the bin that a scan over the edges finds', () => {
  const edges = fc.uniqueArray(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(edges, fc.array(fc.double({ noNaN: true })), (given, values) => {
      const sorted = [...new Set(given.map((edge) => edge + 0))].sort((a, b) => a - b);
      fc.pre(sorted.length >= 2);
      const last = sorted.length - 2;
      const scan = (x: number) => Math.min(last, Math.max(0, sorted.filter((edge) => edge <= x).length - 1));
      const tried = [...values, ...sorted];
      expect(codes({ name: 'n', type: 'number', edges: sorted }, tried)).toEqual(tried.map(scan));
    }),
  );
});

describe('bin edges', () => {
  test('of equal bins are the decimals one would write', () => {
    expect([...binEdges({ name: 'n', type: 'number', min: 0, max: 1, bins: 10 })]).toEqual([
      0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
    ]);
    expect([...binEdges({ name: 'i', type: 'integer', min: 0, max: 99, bins: 10 })]).toEqual([
      0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100,
    ]);
  });

  test('of log bins grow by one ratio, and stay whole and apart for integers', () => {
    const edges = [...binEdges({ name: 'n', type: 'number', min: 1, max: 1000, bins: 3, scale: 'log' })];
    expect(edges.map((edge) => Math.round(edge * 1e9) / 1e9)).toEqual([1, 10, 100, 1000]);
    const whole = [...binEdges({ name: 'i', type: 'integer', min: 1, max: 12, bins: 10, scale: 'log' })];
    expect(whole).toHaveLength(11);
    expect(whole.every((edge, i) => Number.isInteger(edge) && (i === 0 || edge > whole[i - 1]))).toBe(true);
    expect([whole[0], whole[10]]).toEqual([1, 13]);
  });

  test('increase strictly over the widest range of doubles', () => {
    const edges = binEdges({ name: 'n', type: 'number', min: -1.7e308, max: 1.7e308, bins: 7 });
    expect(edges.every((edge, i) => i === 0 || edge > edges[i - 1])).toBe(true);
  });
});

test('dates are read as written from ISO text, in UTC from Date, and clamp', () => {
  const spec: AttributeSpec = { name: 'd', type: 'date', by: 'month', min: '2014-02-10', max: '2014-04-20' };
  expect(
    codes(spec, [
      '2014-02-01',
      '2014-03-31T23:59:59.5-11:00',
      '2014-04-01 00:00',
      new Date('2014-03-05T00:00:00Z'),
      '1999-01-01',
      '2030-12-31',
    ]),
  ).toEqual([0, 1, 2, 1, 0, 2]);
  const odd = ['2014-02-30', '2014-13-01', '2014-3-1', '20140301', 'March', '2014-03-01T25:00', 7, new Date(-1e15)];
  expect(codes(spec, odd)).toEqual(odd.map(() => UNDECLARED));
  expect(codes({ ...spec, null: true }, ['', null, new Date(Number.NaN)])).toEqual([3, 3, 3]);
});

describe('a table', () => {
  const domain = domainOf([
    { name: 'x', type: 'category', values: ['a'] },
    { name: 'n', type: 'integer', min: 0, max: 299 },
  ]);
  const messageOf = (columns: Record<string, unknown[]>): string => {
    try {
      encodeTable(domain, columns);
    } catch (error) {
      if (error instanceof InputError) return error.message;
      throw error;
    }
    return 'accepted';
  };

  test('becomes code columns of the narrowest type, and other columns are left alone', () => {
    const table = encodeTable(domain, { n: [299, 0], spare: [{}, {}], x: ['a', 'a'] });
    expect(table.length).toBe(2);
    expect(table.columns).toEqual([Uint8Array.of(0, 0), Uint16Array.of(299, 0)]);
  });

  test('with a value that has no cell names the column and the row, never the value', () => {
    expect(messageOf({ x: ['a', 'secret'], n: [0, 0] })).toBe(
      'column "x", row 2: not a declared value; add it to the schema\'s values or give the attribute an `other`',
    );
    expect(messageOf({ x: ['a', null], n: [0, 0] })).toContain('column "x", row 2: empty');
    expect(messageOf({ x: ['a'], n: ['12.5'] })).toBe(
      'column "n", row 1: not a whole number; correct it, list the text in `nullValues`, or declare the attribute as "number"',
    );
  });

  test('of any type is refused with column, row and remedy, never with the value', () => {
    const cases: readonly (readonly [AttributeSpec, unknown, readonly unknown[]])[] = [
      [{ name: 'v', type: 'category', values: ['a', 'b'] }, 'a', ['secret 4711', null, '']],
      [{ name: 'v', type: 'boolean' }, 'yes', ['secret 4711', null, 4711]],
      [{ name: 'v', type: 'integer', min: 0, max: 9 }, 1, ['secret 4711', '47.11', null, 4711, '-4711']],
      [{ name: 'v', type: 'number', min: 0, max: 9, bins: 3 }, 1, ['secret 4711', null, 4711, '-47.11']],
      [
        { name: 'v', type: 'date', by: 'year', min: '2010-01-01', max: '2014-12-31' },
        '2011-01-01',
        ['secret 4711', '4711-47-11', null, '1947-11-04'],
      ],
    ];
    for (const [spec, good, bad] of cases)
      for (const value of bad) {
        const encode = () => encodeTable(domainOf([spec]), { v: [good, good, value] }, { outside: 'stop' });
        expect(encode, `${spec.type} ${value}`).toThrow(/^column "v", row 3: [^;]+; .+/);
        expect(encode).not.toThrow(/secret|47/);
      }
  });

  test('without a column, or with columns of different lengths, is refused', () => {
    expect(messageOf({ x: ['a'], N: [1] })).toBe('column "n": missing from the table; did you mean "N"?');
    expect(messageOf({ x: ['a'], amount: [1] })).toBe('column "n": missing from the table; it has x, amount');
    expect(messageOf({ x: ['a'], n: [] })).toContain('columns must have equally many rows');
  });
});
