import { describe, expect, test } from 'vitest';
import { InputError } from '../input-error.js';
import { domainFromSchema, parseSchema } from './parse-schema.js';

const category = { name: 'a', type: 'category', values: ['x', 'y'] };
const integer = { name: 'i', type: 'integer', min: 0, max: 9 };
const number = { name: 'n', type: 'number', min: 0, max: 1, bins: 4 };
const date = { name: 'd', type: 'date', by: 'month', min: '2014-01-01', max: '2015-12-31' };
const file = (...attributes: object[]) => ({ surmise: 1, origin: { kind: 'declared' }, attributes });

const messageOf = (json: unknown): string => {
  try {
    parseSchema(json);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('a schema that contradicts itself is refused with one sentence', () => {
  const cases: [unknown, string][] = [
    [null, 'schema: must be an object, got null'],
    [file(category, category), 'schema: attribute "a": names must differ, got this one twice'],
    [file({ ...category, values: [] }), 'schema: attribute "a": values: must be a list of at least one, got []'],
    [file({ ...category, values: ['x', 'x'] }), 'schema: attribute "a": `values` must differ, got "x" twice'],
    [file({ ...category, values: [1] }), 'schema: attribute "a": values[0]: must be a text in quotes, got 1'],
    [
      file({ ...category, other: 'x' }),
      'schema: attribute "a": `other` must not be one of the `values`, got "x"; choose another label',
    ],
    [
      file({ ...category, null: true, nullValues: ['y'] }),
      'schema: attribute "a": "y" stands in both `values` and `nullValues`; take it out of one',
    ],
    [
      file({ ...category, nullValues: ['N'] }),
      'schema: attribute "a": `nullValues` needs a cell to go to; add `"null": true`',
    ],
    [file({ ...category, vaules: ['x'] }), 'schema: attribute "a": unknown key "vaules"; did you mean "values"?'],
    [
      file({ name: 'a', type: 'category', vals: ['x'] }),
      'schema: attribute "a": unknown key "vals"; did you mean "values"?',
    ],
    [
      file({ name: 'b', type: 'boolean', bins: 3 }),
      'schema: attribute "b": unknown key "bins"; the keys here are name, type, null, nullValues, description',
    ],
    [
      file({ name: 'b', type: 'bool' }),
      'schema: attribute "b": type: must be "category" or "boolean" or "integer" or "number" or "date", got "bool"',
    ],
    [file({ name: 'a', type: 'category' }), 'schema: attribute "a": `values` is missing'],
    [file({ type: 'boolean' }), 'schema: attributes[0]: `name` is missing'],
    [{ ...file(category), unt: {} }, 'schema: unknown key "unt"; did you mean "unit"?'],
    [file({ ...integer, max: -1 }), 'schema: attribute "i": `max` must be above `min` 0, got -1'],
    [file({ ...number, max: 0 }), 'schema: attribute "n": `max` must be above `min` 0, got 0'],
    [file({ ...number, scale: 'log' }), 'schema: attribute "n": `scale` "log" needs a `min` above 0, got 0'],
    [
      file({ name: 'n', type: 'number', edges: [0, 2, 1] }),
      'schema: attribute "n": `edges` must increase, got 1 after 2',
    ],
    [
      file({ name: 'n', type: 'number', edges: [0, 1], bins: 3 }),
      'schema: attribute "n": `edges` say it all, so `bins` must not be given too; take one of them out',
    ],
    [file({ name: 'n', type: 'number' }), 'schema: attribute "n": needs `edges`, or `min` and `max` with `bins`'],
    [
      file({ ...integer, bins: 11 }),
      'schema: attribute "i": `bins` must be at most the 10 integers from `min` to `max`, got 11',
    ],
    [
      file({ ...integer, max: 2 ** 32 }),
      'schema: attribute "i": must have at most 2^32 cells, got 4294967297; use coarser bins',
    ],
    [
      file({ ...number, min: 1, max: 1 + 2 ** -50, bins: 1000 }),
      'schema: attribute "n": `bins` must be few enough for doubles to tell the edges apart, got 1000',
    ],
    [
      file({ ...integer, null: true, nullValues: ['9'] }),
      'schema: attribute "i": a number in `nullValues` must lie outside the bins; move the bins or take it out',
    ],
    [
      file({ ...date, max: '2013-12-31' }),
      'schema: attribute "d": `max` must not be before `min` 2014-01-01, got 2013-12-31',
    ],
    [
      file({ ...date, min: '2014-02-30' }),
      'schema: attribute "d": `min` must be a date such as "2014-03-31", got "2014-02-30"',
    ],
    [
      { ...file(category), unit: { id: 'a', maxRecords: 1 } },
      'schema: unit.id: an id says who a row belongs to and cannot be an attribute as well, got "a"; take it out of the attributes',
    ],
    [
      { ...file(category, integer), twoLevel: { key: 'h', household: ['A'], maxSize: 2 } },
      'schema: twoLevel.household: must name attributes, got "A"; did you mean "a"?',
    ],
    [
      { ...file(category), twoLevel: { key: 'h', household: ['a'], maxSize: 2 } },
      'schema: twoLevel.household: at least one attribute must be left for persons',
    ],
    [
      { ...file(category, integer), twoLevel: { key: 'i', household: ['a'], maxSize: 2 } },
      'schema: twoLevel.key: the key cannot be an attribute as well, got "i"',
    ],
    [
      { ...file(category), origin: { kind: 'private-table' } },
      'schema: origin.kind: must be "declared" or "discovered" or "public-table", got "private-table"',
    ],
  ];
  test.each(cases)('%j', (json, message) => {
    expect(messageOf(json)).toBe(message);
  });
});

test('a parsed schema is a frozen copy that leaves the given object alone', () => {
  const given = file({ ...category, other: 'o' });
  const schema = parseSchema(given);
  expect(schema).toEqual(given);
  expect(Object.isFrozen(schema.attributes[0])).toBe(true);
  expect(Object.isFrozen(given.attributes[0])).toBe(false);
});

test('a domain follows the schema, is frozen, and survives cloning', () => {
  const domain = domainFromSchema(
    parseSchema(file({ ...category, other: 'o', null: true }, integer, { ...number, null: true }, date)),
  );
  expect(domain.attributes.map(({ name, size }) => [name, size])).toEqual([
    ['a', 4],
    ['i', 10],
    ['n', 5],
    ['d', 24],
  ]);
  expect(Object.isFrozen(domain.attributes[0].spec)).toBe(true);
  expect(structuredClone(domain)).toEqual(domain);
});
