import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../random/seeded.js';
import { domainOf } from '../domain-of.js';
import { decodeTable } from '../encode/decode-table.js';
import { encodeTable } from '../encode/encode-table.js';
import { InputError } from '../input-error.js';
import type { AttributeSpec, DateSpec } from './attribute.js';
import { cellLabels, isOrdered, valueCells } from './cells.js';
import { columnDecoder } from './column-decoder.js';
import { columnEncoder } from './column-encoder.js';

const texts = fc.uniqueArray(fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('1', '-0', 'null', 'true', '')), {
  minLength: 1,
  maxLength: 8,
});
const nulls = fc.constantFrom({}, { null: true }, { null: true, nullValues: ['N', '-99999999'] });
const safe = fc.integer({ min: -(10 ** 7), max: 10 ** 7 });
const real = fc.double({ noNaN: true, noDefaultInfinity: true });
const by = fc.constantFrom<DateSpec['by']>('year', 'quarter', 'month', 'week', 'day');
const isoDate = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const sorted = (values: readonly number[]) => [...new Set(values.map((value) => value + 0))].sort((a, b) => a - b);

/** Declarations of every type; some contradict themselves, and the tests skip those. */
const anySpec: fc.Arbitrary<AttributeSpec> = fc
  .tuple(
    nulls,
    fc.oneof(
      fc.record({ type: fc.constant('category' as const), values: texts }),
      fc.record({ type: fc.constant('category' as const), values: texts, other: fc.string({ maxLength: 5 }) }),
      fc.constant({ type: 'boolean' as const }),
      fc
        .record({ type: fc.constant('integer' as const), min: safe, extra: fc.nat(300) })
        .map(({ type, min, extra }) => ({
          type,
          min,
          max: min + extra,
        })),
      fc
        .record({
          type: fc.constantFrom('integer' as const, 'number' as const),
          ends: fc.tuple(safe, safe),
          bins: fc.integer({ min: 1, max: 60 }),
          scale: fc.constantFrom('linear' as const, 'log' as const),
        })
        .map(({ type, ends, bins, scale }) => ({ type, min: Math.min(...ends), max: Math.max(...ends), bins, scale })),
      fc
        .array(safe, { minLength: 2, maxLength: 9 })
        .map((edges) => ({ type: 'integer' as const, edges: sorted(edges) })),
      fc
        .array(real, { minLength: 2, maxLength: 9 })
        .map((edges) => ({ type: 'number' as const, edges: sorted(edges) })),
      fc
        .record({ ends: fc.tuple(real, real), bins: fc.integer({ min: 1, max: 60 }) })
        .map(({ ends, bins }) => ({ type: 'number' as const, min: Math.min(...ends), max: Math.max(...ends), bins })),
      fc.tuple(by, isoDate, fc.nat(900)).map(([period, min, days]) => ({
        type: 'date' as const,
        by: period,
        min,
        max: new Date(Math.min(Date.parse(min) + days * 86_400_000, Date.parse('9999-12-31')))
          .toISOString()
          .slice(0, 10),
      })),
    ),
  )
  .map(([empties, cells]) => ({ name: 'a', ...cells, ...empties }) as AttributeSpec);

const attributeOf = (spec: AttributeSpec) => {
  try {
    return domainOf([spec]).attributes[0];
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
};

const valid = anySpec.map(attributeOf).filter((attribute) => attribute !== undefined);

describe('encoding a decoded cell gives the cell back', () => {
  test('for every cell of any attribute', () => {
    fc.assert(
      fc.property(valid, fc.nat(), (attribute, seed) => {
        const encode = columnEncoder(attribute);
        const decode = columnDecoder(attribute, {}, seeded(seed));
        for (let cell = 0; cell < attribute.size; cell++) {
          expect(encode(decode(cell))).toBe(cell);
          const value = decode(cell);
          if (typeof value === 'number') expect(encode(String(value))).toBe(cell);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('also when values are drawn like a public table, whatever that table holds', () => {
    const wild = fc.oneof(
      real,
      safe,
      fc.string({ maxLength: 4 }),
      isoDate,
      fc.constantFrom(null, Number.NaN, true, 3n),
    );
    fc.assert(
      fc.property(valid, fc.array(wild, { maxLength: 30 }), fc.nat(), (attribute, like, seed) => {
        const encode = columnEncoder(attribute);
        const decode = columnDecoder(attribute, { like }, seeded(seed));
        for (let cell = 0; cell < attribute.size; cell++) expect(encode(decode(cell))).toBe(cell);
      }),
      { numRuns: 200 },
    );
  });
});

test('every cell has one label', () => {
  fc.assert(
    fc.property(valid, (attribute) => {
      expect(cellLabels(attribute)).toHaveLength(attribute.size);
    }),
  );
});

test('labels read as people write ranges, months and the cells after them', () => {
  const labels = (spec: AttributeSpec) => cellLabels(domainOf([spec]).attributes[0]);
  expect(labels({ name: 'i', type: 'integer', min: 30, max: 49, bins: 2, null: true })).toEqual([
    '30-39',
    '40-49',
    'null',
  ]);
  expect(labels({ name: 'i', type: 'integer', edges: [-10, -5, 0, 1] })).toEqual(['-10 to -6', '-5 to -1', '0']);
  expect(labels({ name: 'n', type: 'number', edges: [0.5, 1, 2.5] })).toEqual(['[0.5, 1)', '[1, 2.5]']);
  expect(labels({ name: 'd', type: 'date', by: 'month', min: '2014-12-31', max: '2015-01-01' })).toEqual([
    '2014-12',
    '2015-01',
  ]);
  expect(labels({ name: 'c', type: 'category', values: ['x'], other: 'other' })).toEqual(['x', 'other']);
});

test('numbers, dates and ordered categories have an order, before `other` and null', () => {
  const domain = domainOf([
    { name: 'a', type: 'category', values: ['x', 'y'], other: 'o', null: true },
    { name: 'b', type: 'category', values: ['x', 'y'], ordered: true },
    { name: 'c', type: 'boolean' },
    { name: 'd', type: 'integer', min: 0, max: 2, null: true },
  ]);
  expect(domain.attributes.map(isOrdered)).toEqual([false, true, false, true]);
  expect(domain.attributes.map(({ spec }) => valueCells(spec))).toEqual([2, 2, 2, 3]);
});

describe('values drawn', () => {
  test('are whole numbers of the bin, each about equally often', () => {
    const [attribute] = domainOf([{ name: 'i', type: 'integer', edges: [0, 4, 10] }]).attributes;
    const decode = columnDecoder(attribute, {}, seeded(1));
    const counts = new Map<unknown, number>();
    for (let i = 0; i < 6000; i++) {
      const value = decode(1);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([4, 5, 6, 7, 8, 9]);
    // Seeded: 1000 each is expected, and 150 is five standard deviations.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  test('stay within the declared dates when a cell reaches beyond them', () => {
    const [attribute] = domainOf([
      { name: 'd', type: 'date', by: 'year', min: '2014-12-30', max: '2015-01-02' },
    ]).attributes;
    const decode = columnDecoder(attribute, {}, seeded(2));
    const seen = new Set(Array.from({ length: 200 }, (_, i) => decode(i % 2)));
    expect([...seen].sort()).toEqual(['2014-12-30', '2014-12-31', '2015-01-01', '2015-01-02']);
  });

  test('like a public table are its values in the bin; a bin without any falls back to uniform', () => {
    const [attribute] = domainOf([{ name: 'n', type: 'number', edges: [0, 10, 20, 30], null: true }]).attributes;
    const like = ['1.5', 2, 2, '', 'x', 29, 1e9, -5, null];
    const decode = columnDecoder(attribute, { like }, seeded(3));
    const drawn = (cell: number) => Array.from({ length: 300 }, () => decode(cell) as number);
    const first = drawn(0);
    expect([...new Set(first)].sort()).toEqual([1.5, 2]);
    expect(first.filter((value) => value === 2).length).toBeGreaterThan(first.filter((value) => value === 1.5).length);
    expect(new Set(drawn(1)).size).toBeGreaterThan(250);
    expect(new Set(drawn(2))).toEqual(new Set([29])); // 1e9 clamps into this bin but lies outside the bounds
    expect(decode(3)).toBeNull();
  });
});

test('a decoded table encodes to the same codes, and text categories survive as they were', () => {
  const domain = domainOf([
    { name: 'c', type: 'category', values: ['x', 'y'], other: 'rest', null: true },
    { name: 'b', type: 'boolean' },
    { name: 'n', type: 'number', min: 0, max: 1, bins: 3 },
    { name: 'd', type: 'date', by: 'week', min: '2020-01-01', max: '2020-12-31' },
  ]);
  const table = encodeTable(domain, {
    c: ['y', 'z', null, 'x'],
    b: ['yes', 0, true, 'F'],
    n: [0.1, 0.5, 2, -1],
    d: ['2020-02-29', '2019-01-01', '2021-01-01', '2020-06-01T10:00:00Z'],
  });
  const values = decodeTable(table, { random: seeded(4), like: { n: [0.1, 0.5] } });
  expect(values.c).toEqual(['y', 'rest', null, 'x']);
  expect(values.b).toEqual([true, false, true, false]);
  expect(values.n.slice(0, 2)).toEqual([0.1, 0.5]);
  expect(encodeTable(domain, values)).toEqual(table);
});
