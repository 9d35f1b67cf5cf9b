import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseDraft } from '../src/domain/discover/parse-draft.js';
import { InputError } from '../src/domain/input-error.js';
import { attributeShapes, constraintShape, schemaShape } from '../src/domain/schema/schema-shape.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Rule = { readonly [key: string]: Json };

const published = JSON.parse(readFileSync(new URL('../schema/surmise-schema.json', import.meta.url), 'utf8')) as Rule;

const isObject = (value: unknown): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const same = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);

const isType: Record<string, (value: Json) => boolean> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  null: (value) => value === null,
};

/** The part of JSON Schema (2020-12) that the published file uses; an unknown keyword throws, so it cannot be ignored. */
const accepts = (rule: Rule, value: Json): boolean => {
  const all = (rules: Json) => (rules as readonly Rule[]).map((part) => accepts(part, value));
  const size = Array.isArray(value) ? value.length : undefined;
  const keywords: Record<string, (arg: Json) => boolean> = {
    $schema: () => true,
    $defs: () => true,
    title: () => true,
    description: () => true,
    $ref: (arg) => accepts((published.$defs as Record<string, Rule>)[String(arg).split('/')[2]], value),
    type: (arg) => [arg].flat().some((one) => isType[String(one)](value)),
    const: (arg) => same(arg, value),
    enum: (arg) => (arg as readonly Json[]).some((option) => same(option, value)),
    required: (arg) => !isObject(value) || (arg as readonly string[]).every((key) => Object.hasOwn(value, key)),
    properties: (arg) =>
      !isObject(value) ||
      Object.entries(arg as Record<string, Rule>).every(
        ([key, part]) => !Object.hasOwn(value, key) || accepts(part, value[key]),
      ),
    additionalProperties: (arg) =>
      !isObject(value) ||
      Object.entries(value).every(
        ([key, own]) =>
          Object.hasOwn((rule.properties ?? {}) as object, key) || (arg !== false && accepts(arg as Rule, own)),
      ),
    items: (arg) => !Array.isArray(value) || value.every((item) => accepts(arg as Rule, item)),
    minItems: (arg) => size === undefined || size >= Number(arg),
    maxItems: (arg) => size === undefined || size <= Number(arg),
    uniqueItems: () => !Array.isArray(value) || new Set(value.map((item) => JSON.stringify(item))).size === size,
    minLength: (arg) => typeof value !== 'string' || value.length >= Number(arg),
    pattern: (arg) => typeof value !== 'string' || new RegExp(String(arg)).test(value),
    minimum: (arg) => typeof value !== 'number' || value >= Number(arg),
    maximum: (arg) => typeof value !== 'number' || value <= Number(arg),
    exclusiveMinimum: (arg) => typeof value !== 'number' || value > Number(arg),
    not: (arg) => !accepts(arg as Rule, value),
    allOf: (arg) => all(arg).every(Boolean),
    anyOf: (arg) => all(arg).some(Boolean),
    oneOf: (arg) => all(arg).filter(Boolean).length === 1,
    if: (arg) => !accepts(arg as Rule, value) || accepts(rule.then as Rule, value),
  };
  const judged = Object.entries(rule).filter(([keyword]) => keyword !== 'then'); // `if` looks at it
  return judged.every(([keyword, arg]) => keywords[keyword](arg));
};

const isParsed = (value: Json): boolean => {
  try {
    parseDraft(value);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
};

const whole = (attribute: Json, more: Rule = {}): Json => ({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [attribute],
  ...more,
});

const category: Rule = { name: 'a', type: 'category', values: ['x', 'y'] };
const date: Rule = { name: 'd', type: 'date', by: 'month', min: '2014-01-01', max: '2015-12-31' };
const integer: Rule = { name: 'i', type: 'integer', min: 0, max: 9 };
const number: Rule = { name: 'n', type: 'number', min: 0.5, max: 9, bins: 4 };
const edges: Rule = { name: 'n', type: 'number', edges: [0, 0.5, 1] };

const good: Json[] = [
  whole(category),
  whole({ ...category, other: 'other', ordered: true, null: true, nullValues: ['N'], description: 'why' }),
  whole({ ...category, nullValues: [] }),
  whole({ name: 'b', type: 'boolean', null: false }),
  whole(integer),
  whole({ ...integer, max: 0 }),
  whole({ ...integer, bins: 5, scale: 'linear' }),
  whole({ ...integer, min: 1, bins: 3, scale: 'log' }),
  whole({ name: 'i', type: 'integer', edges: [0, 5, 10], null: true, nullValues: ['-9'] }),
  whole(number),
  whole({ ...number, scale: 'log' }),
  whole(edges),
  ...['year', 'quarter', 'month', 'week', 'day'].map((by) => whole({ ...date, by })),
  whole(category, { $schema: 'x', origin: { kind: 'public-table', file: 'p.csv', rows: 0 } }),
  whole(category, { unit: { id: 'person', maxRecords: 3 } }),
  whole(category, { origin: { kind: 'discovered' } }),
  whole(category, {
    table: { delimiter: ';', encoding: 'windows-1252', decimal: ',', thousands: '.', date: 'DD.MM.YYYY' },
  }),
  whole(category, { table: { columns: { w: { suffix: 'kg' }, d: { date: 'excel' } } } }),
  whole({ name: 'q', type: 'discover' }),
  whole({ name: 'q', type: 'category', values: 'discover', other: 'rest' }),
  whole({ name: 'q', type: 'number', edges: 'discover', min: 0, max: 1, bins: 8 }),
  whole({ name: 'q', type: 'date', edges: 'discover', by: 'year', min: '2014-01-01' }),
  ...['text', 'id', 'key'].map((type) => whole({ name: 'q', type })),
  {
    ...(whole(category) as Rule),
    attributes: [category, integer],
    twoLevel: { key: 'hh', household: ['a'], maxSize: 255, rule: 'trim', size: 'persons' },
  },
  {
    ...(whole(category) as Rule),
    attributes: [category, integer],
    twoLevel: { key: 'hh', household: ['a'], maxSize: 4 },
  },
];

good.unshift(
  ...[
    { forbid: "a = 'x'", description: 'no x' },
    { require: "a <> 'x'" },
    { from: 'a', to: 'i', map: { x: 1, y: 2 } },
    {
      from: ['a'],
      to: 'i',
      map: [
        ['x', 1],
        ['y', 2],
      ],
    },
    { of: ['a', 'i'], zeros: [['x', 3]] },
  ].map((constraint) => ({ ...(whole(category) as Rule), attributes: [category, integer], constraints: [constraint] })),
);

/** Wrong in a way that JSON Schema can say. */
const bad: readonly Json[] = [
  ...[
    {},
    { forbid: '' },
    { forbid: "a = 'x'", where: "a = 'y'" },
    { from: 'a', to: 'i' },
    { of: [], zeros: [['x']] },
    { zeros: [[]] },
  ].map((constraint) => ({ ...(whole(category) as Rule), attributes: [category, integer], constraints: [constraint] })),
  null,
  [],
  {},
  whole(null),
  whole(category, { attributes: [] }),
  whole(category, { surmise: 2 }),
  whole(category, { surmise: '1' }),
  whole(category, { origin: { kind: 'private-table' } }),
  whole(category, { origin: { kind: 'declared', file: 'x' } }),
  whole(category, { origin: { kind: 'public-table', file: 'x' } }),
  whole(category, { origin: { kind: 'public-table', file: 'x', rows: -1 } }),
  whole(category, { extra: 1 }),
  whole(category, { unit: { id: '', maxRecords: 1 } }),
  whole(category, { unit: { id: 'p', maxRecords: 0 } }),
  whole(category, { unit: { id: 'p', maxRecords: 1.5 } }),
  whole(category, { twoLevel: { key: 'h', household: [], maxSize: 2 } }),
  whole(category, { twoLevel: { key: 'h', household: ['a', 'a'], maxSize: 2 } }),
  { ...(good.at(-1) as Rule), unit: { id: 'p', maxRecords: 1 } },
  ...[{ maxSize: 256 }, { rule: 'drop' }, { size: '' }].map((change) => ({
    ...(good.at(-1) as Rule),
    twoLevel: { key: 'hh', household: ['a'], maxSize: 4, ...change },
  })),
  whole({ ...category, name: '' }),
  whole({ ...category, values: [] }),
  whole({ ...category, values: [1, 2] }),
  whole({ ...category, values: ['x', 'x'] }),
  whole({ ...category, other: '' }),
  whole({ ...category, vals: ['x'] }),
  whole({ ...category, nullValues: ['N'] }),
  whole({ ...category, null: true, nullValues: ['N', 'N'] }),
  whole({ ...category, type: 'text' }),
  whole({ name: 'q', type: 'discover', values: ['x'] }),
  whole({ name: 'q', type: 'number', edges: 'discovered' }),
  whole({ name: 'q', type: 'integer', edges: 'discover', bins: 1 }),
  whole(category, { table: { delimiter: ';;' } }),
  whole(category, { table: { columns: { w: { unit: 'kg' } } } }),
  whole({ name: 'a', type: 'category' }),
  whole({ type: 'boolean' }),
  whole({ name: 'b', type: 'boolean', values: ['x'] }),
  whole({ name: 'i', type: 'integer' }),
  whole({ name: 'i', type: 'integer', min: 0 }),
  whole({ ...integer, min: 0.5 }),
  whole({ ...integer, scale: 'log' }),
  whole({ ...integer, bins: 0 }),
  whole({ ...integer, bins: 2.5 }),
  whole({ ...integer, edges: [0, 1] }),
  whole({ name: 'i', type: 'integer', edges: [0, 0.5] }),
  whole({ name: 'n', type: 'number', min: 0, max: 1 }),
  whole({ ...number, bins: 1048577 }),
  whole({ ...number, min: 0, scale: 'log' }),
  whole({ ...number, scale: 'cube' }),
  whole({ ...edges, bins: 2 }),
  whole({ ...edges, edges: [1] }),
  whole({ ...edges, edges: [1, 1] }),
  whole({ ...edges, edges: ['1', '2'] }),
  whole({ ...date, by: 'decade' }),
  whole({ ...date, min: '2014' }),
  whole({ name: 'd', type: 'date', by: 'day', min: '2014-01-01' }),
];

describe('the published JSON Schema', () => {
  test.each(good.map((value) => [JSON.stringify(value), value]))('and the parser accept %s', (_, value) => {
    expect([accepts(published, value as Json), isParsed(value as Json)]).toEqual([true, true]);
  });

  test.each(bad.map((value) => [JSON.stringify(value), value]))('and the parser refuse %s', (_, value) => {
    expect([accepts(published, value as Json), isParsed(value as Json)]).toEqual([false, false]);
  });

  test('names exactly the keys of the parser, and requires the same ones', () => {
    const keysOf = (rule: Json): string[] => Object.keys((rule as Rule).properties as Rule).sort();
    const requiredOf = (rule: Json): string[] => [...((rule as Rule).required as string[])].sort();
    const entriesOf = (shape: { entries: object }): string[] => Object.keys(shape.entries).sort();
    const neededOf = (shape: { entries: object }): string[] =>
      Object.entries(shape.entries)
        .filter(([, entry]) => entry.type !== 'exact_optional')
        .map(([key]) => key)
        .sort();
    const defs = published.$defs as Rule;
    const pairs: [Json, { entries: object }][] = [
      [published, schemaShape],
      ...attributeShapes.map((shape): [Json, { entries: object }] => {
        const { literal } = shape.entries.type;
        return [defs[literal === 'integer' || literal === 'number' ? 'numeric' : literal], shape];
      }),
      ...((published.properties as Rule).origin as { oneOf: Json[] }).oneOf.map(
        (rule, i): [Json, { entries: object }] => [rule, schemaShape.entries.origin.options[i]],
      ),
      [(published.properties as Rule).unit, schemaShape.entries.unit.wrapped],
      [(published.properties as Rule).twoLevel, schemaShape.entries.twoLevel.wrapped],
      [defs.constraint, constraintShape],
    ];
    for (const [rule, shape] of pairs) {
      expect(keysOf(rule)).toEqual(entriesOf(shape));
      expect(requiredOf(rule)).toEqual(neededOf(shape));
    }
  });
});
