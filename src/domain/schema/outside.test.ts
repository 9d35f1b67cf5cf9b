import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../random/seeded.js';
import type { AttributeSpec } from '../attribute/attribute.js';
import { columnDecoder } from '../attribute/column-decoder.js';
import { BEYOND, columnEncoder, EMPTY, UNDECLARED } from '../attribute/column-encoder.js';
import { domainOf } from '../domain-of.js';
import { encodeTable } from '../encode/encode-table.js';
import { type Outside, outsideRules, stoppedBy, withOutside } from './outside.js';

// Item 12: a value that the schema does not name goes to a declared place, and a rule can be chosen under which none stops a run.

const specs: Readonly<Record<string, AttributeSpec>> = {
  category: { name: 'x', type: 'category', values: ['a', 'b'] },
  'category with other': { name: 'x', type: 'category', values: ['a', 'b'], other: 'rest' },
  'category with null': { name: 'x', type: 'category', values: ['a', 'b'], null: true },
  boolean: { name: 'x', type: 'boolean' },
  integer: { name: 'x', type: 'integer', min: 0, max: 9 },
  'integer with null': { name: 'x', type: 'integer', edges: [0, 5, 10], null: true, nullValues: ['-9'] },
  number: { name: 'x', type: 'number', min: 0, max: 1, bins: 4 },
  date: { name: 'x', type: 'date', by: 'year', min: '2010-01-01', max: '2014-12-31' },
  'open integer': { name: 'x', type: 'integer', min: 0, max: 9, open: 'both' },
  'number open above': { name: 'x', type: 'number', min: 0, max: 1, bins: 4, open: 'above' },
  'date open below': { name: 'x', type: 'date', by: 'year', min: '2010-01-01', max: '2014-12-31', open: 'below' },
};

const codes = (spec: AttributeSpec, outside: Outside, values: readonly unknown[]): number[] => {
  const [attribute] = domainOf(withOutside({ attributes: [spec] }, outside).attributes).attributes;
  return values.map(columnEncoder(attribute, outside));
};

describe('each rule puts values that the schema does not name where its words say', () => {
  test.each([
    // unlisted text, empty value
    ['category', 'declared', ['z', ''], [UNDECLARED, EMPTY]],
    ['category', 'other', ['z', ''], [2, 2]],
    ['category', 'clip', ['z', ''], [0, 0]],
    ['category', 'stop', ['z', ''], [UNDECLARED, EMPTY]],
    ['category with other', 'declared', ['z', '', 'rest'], [2, 2, 2]],
    ['category with other', 'other', ['z', '', 'rest'], [2, 2, 2]],
    ['category with other', 'clip', ['z', '', 'rest'], [2, 2, 2]],
    ['category with other', 'stop', ['z', '', 'rest'], [UNDECLARED, EMPTY, 2]],
    ['category with null', 'declared', ['z', ''], [2, 2]],
    ['category with null', 'other', ['z', ''], [2, 3]],
    ['category with null', 'clip', ['z', ''], [2, 2]],
    ['category with null', 'stop', ['z', ''], [UNDECLARED, 2]],
    // unreadable text, empty value
    ['boolean', 'declared', ['ja', null], [UNDECLARED, EMPTY]],
    ['boolean', 'other', ['ja', null], [2, 2]],
    ['boolean', 'clip', ['ja', null], [0, 0]],
    ['boolean', 'stop', ['ja', null], [UNDECLARED, EMPTY]],
    // below, above, unreadable text, empty value, fraction
    ['integer', 'declared', [-1, '12', 'x', '', 7.5], [0, 9, UNDECLARED, EMPTY, UNDECLARED]],
    ['integer', 'other', [-1, 0, '12', 'x', '', 7.5], [0, 1, 11, 12, 12, 12]],
    ['integer', 'clip', [-1, '12', 'x', '', 7.5], [0, 9, 0, 0, 7]],
    ['integer', 'stop', [-1, '12', 'x', '', 7.5], [BEYOND, BEYOND, UNDECLARED, EMPTY, UNDECLARED]],
    ['integer with null', 'declared', [-1, 12, 'x', '', 7.5, -9], [0, 1, 2, 2, 2, 2]],
    ['integer with null', 'clip', [-1, 12, 'x', '', 7.5, -9], [0, 1, 2, 2, 2, 2]],
    ['integer with null', 'stop', [-1, 10, 9, 'x', '', -9], [BEYOND, BEYOND, 1, UNDECLARED, 2, 2]],
    ['number', 'declared', [-1, 1, 2, Number.POSITIVE_INFINITY, 'x'], [0, 3, 3, 3, UNDECLARED]],
    ['number', 'stop', [-1, 0, 1, 2, Number.POSITIVE_INFINITY], [BEYOND, 0, 3, BEYOND, BEYOND]],
    ['date', 'declared', ['1999-01-01', '2020-01-01', 'soon', null], [0, 4, UNDECLARED, EMPTY]],
    ['date', 'other', ['1999-01-01', '2010-01-01', '2020-01-01', 'soon', null], [0, 1, 6, 7, 7]],
    ['date', 'clip', ['1999-01-01', '2020-01-01', 'soon', null], [0, 4, 0, 0]],
    ['date', 'stop', ['1999-01-01', '2014-12-31', 'soon', null], [BEYOND, 4, UNDECLARED, EMPTY]],
    // beyond ends that are open, and within
    ['open integer', 'declared', [-1, 0, 9, 10, Number.POSITIVE_INFINITY, 9.5], [0, 1, 10, 11, 11, UNDECLARED]],
    ['open integer', 'clip', [-1.5, 9.5, 'x'], [0, 10, 0]],
    ['open integer', 'stop', [-1, 0, 9, 10], [BEYOND, 0, 9, BEYOND]],
    ['number open above', 'declared', [-1, 0, 1, 1.0000000001, 1e300], [0, 0, 3, 4, 4]],
    ['date open below', 'declared', ['2009-12-31', '2010-01-01', '2014-12-31', '2015-01-01'], [0, 1, 5, 5]],
    ['date open below', 'stop', ['2009-12-31', '2014-12-31', '2015-01-01'], [BEYOND, 4, BEYOND]],
  ] as [string, Outside, unknown[], number[]][])('%s, %s', (kind, outside, values, cells) => {
    expect(codes(specs[kind], outside, values)).toEqual(cells);
  });
});

const anything = fc.oneof(
  fc.anything(),
  fc.string(),
  fc.double(),
  fc.bigInt(),
  fc.date({ noInvalidDate: false }),
  fc.double().map(String),
  fc.date({ noInvalidDate: true }).map((day) => day.toISOString().slice(0, 10)),
);

test('under other and clip no value whatever stops a run, and every cell is one of the domain', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(specs)),
      fc.constantFrom('other', 'clip'),
      anything,
      (spec, rule, value) => {
        const { attributes } = withOutside({ attributes: [spec] }, rule as Outside);
        const domain = domainOf(attributes);
        const cell = columnEncoder(domain.attributes[0], rule as Outside)(value);
        return cell >= 0 && cell < domain.attributes[0].size;
      },
    ),
    { numRuns: 3000 },
  );
});

test('the attributes that are named beforehand are those on which some value stops a run', () => {
  const awkward = ['z', '', null, 7.5, -1e9, 1e9, 'x', {}, '1999-01-01'];
  for (const outside of outsideRules)
    for (const [kind, spec] of Object.entries(specs)) {
      const stops = codes(spec, outside, awkward).some((cell) => cell < 0);
      expect({ kind, outside, stops }).toEqual({
        kind,
        outside,
        stops: stoppedBy({ attributes: [spec] }, outside).length === 1,
      });
    }
});

test('every rule gives back the cell that a synthetic value was drawn from', () => {
  for (const outside of outsideRules)
    for (const spec of Object.values(specs)) {
      const [attribute] = domainOf(withOutside({ attributes: [spec] }, outside).attributes).attributes;
      const [decode, encode] = [columnDecoder(attribute, {}, seeded(1)), columnEncoder(attribute, outside)];
      for (let cell = 0; cell < attribute.size; cell++) expect(encode(decode(cell))).toBe(cell);
    }
});

test('widening a schema twice is widening it once, other rules keep what is closed as it is, and widening finds a label that is free', () => {
  const all = Object.values(specs).map((spec, i) => ({ ...spec, name: `x${i}` }));
  const once = withOutside({ attributes: all }, 'other');
  expect(withOutside(once, 'other')).toEqual(once);
  for (const rule of ['declared', 'clip'] as const) expect(withOutside({ attributes: all }, rule).attributes).toBe(all);
  const closed = withOutside({ attributes: all }, 'stop').attributes;
  expect(closed).toEqual(all.map((spec) => ('open' in spec ? { ...spec, open: undefined } : spec)));
  expect(closed.some((spec) => 'open' in spec)).toBe(false);
  const taken: AttributeSpec = { name: 'x', type: 'category', values: ['other'], null: true, nullValues: ['(other)'] };
  expect(withOutside({ attributes: [taken] }, 'other').attributes[0]).toMatchObject({ other: '((other))' });
});

test('a table in memory is encoded by the rule it is given, and an error of it holds no value', () => {
  const domain = domainOf([specs.integer]);
  expect([...encodeTable(domain, { x: ['SECRET', 3] }, { outside: 'clip' }).columns[0]]).toEqual([0, 3]);
  expect(() => encodeTable(domain, { x: [3, 12345] }, { outside: 'stop' })).toThrow(
    /^column "x", row 2: beyond the declared range[^0-9]*$/,
  );
});
