import { describe, expect, it } from 'vitest';
import { InputError } from '../input-error.js';
import { askedMaps, asksAnything, asksValues } from './draft.js';
import { parseDraft, schemaOf } from './parse-draft.js';

const attributes = [
  { name: 'town', type: 'category', values: 'discover' },
  { name: 'region', type: 'category', values: ['north', 'south'], other: 'other' },
  { name: 'code', type: 'integer', min: 0, max: 9 },
  { name: 'age', type: 'integer', min: 0, max: 99, bins: 10 },
  { name: 'born', type: 'date', edges: 'discover' },
  { name: 'income', type: 'number', edges: 'discover' },
  { name: 'q7', type: 'discover' },
  { name: 'note', type: 'text' },
];
const draftWith = (...constraints: unknown[]) => ({
  surmise: 1,
  origin: { kind: 'declared' },
  attributes,
  constraints,
});
const said = (...constraints: unknown[]): string => {
  try {
    parseDraft(draftWith(...constraints));
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('a map that is to be asked for', () => {
  it('is something to ask, also where nothing else is, and needs no delta by itself', () => {
    const whole = {
      ...draftWith({ from: 'code', to: 'region', map: 'discover' }),
      attributes: attributes.slice(1, 3),
    };
    const draft = parseDraft(whole);
    expect([asksAnything(draft), asksValues(draft), schemaOf(draft)]).toEqual([true, false, undefined]);
    expect(askedMaps(draft)).toEqual([{ from: 'code', to: 'region', map: 'discover' }]);
  });

  it('may be about columns that are asked for or of unknown type, beside constraints of declared ones', () => {
    const draft = parseDraft(
      draftWith(
        { from: 'town', to: 'region', map: 'discover', description: 'towns lie in regions' },
        { forbid: "age < 10 and region = 'north'" },
        { from: ['q7', 'code'], to: 'town', map: 'discover' },
      ),
    );
    expect(draft.constraints).toHaveLength(3);
    expect(askedMaps(draft)).toHaveLength(2);
  });

  it.each<[unknown[], string]>([
    [
      [{ from: 'twon', to: 'region', map: 'discover' }],
      'schema: constraints[0].from: must name a column of the schema, got "twon"; did you mean "town"?',
    ],
    [
      [{ from: 'town', to: 'nowhere at all', map: 'discover' }],
      'schema: constraints[0].to: must name a column of the schema, got "nowhere at all"; declare it, or have it asked for',
    ],
    [
      [{ from: 'town', to: 'age', map: 'discover' }],
      'schema: constraints[0].to: a map is learned between columns of single values, got "age", which has bins or dates; declare it as a category or as integers one by one, or write a condition',
    ],
    [
      [{ from: 'income', to: 'region', map: 'discover' }],
      'schema: constraints[0].from: a map is learned between columns of single values, got "income", which has bins or dates; declare it as a category or as integers one by one, or write a condition',
    ],
    [
      [{ from: 'note', to: 'region', map: 'discover' }],
      'schema: constraints[0].from: must name a column that is released, got "note", which is left out by its type',
    ],
    [
      [{ from: ['town', 'region'], to: 'region', map: 'discover' }],
      'schema: constraints[0]: columns of a map must differ, got "region" twice',
    ],
    [
      [
        { from: 'town', to: 'region', map: 'discover' },
        { from: 'town', to: 'region', map: 'discover' },
      ],
      'schema: constraints[0]: must be the only map of these columns, got another one; take one of them out',
    ],
    [
      [
        { from: 'town', to: 'region', map: 'discover' },
        { from: 'region', to: 'q7', map: 'discover' },
        { from: 'q7', to: 'town', map: 'discover' },
      ],
      'schema: constraints[0]: columns must not determine each other in a circle, got "region", by which "town" is determined; leave one of the maps out',
    ],
    [
      [{ from: 'town', to: 'region', map: 'discover', unlisted: 'free' }],
      'schema: constraints[0]: unknown key "unlisted"; the keys here are from, to, map, description',
    ],
    [
      [{ from: 'code', to: 'region', map: 'learn' }],
      'schema: constraints[0].map: must list what each value gives, got "learn"; write a pair for each value, such as { "A1": "A" }, or "discover" to have a release learn it with noise, for a part of its budget',
    ],
    [
      [{ from: 'town', to: 'region', map: 'discover' }, { forbid: "town = 'Bern' and region = 'north'" }],
      'schema: constraints[1]: must be about declared columns, got "town", which is to be asked for; declare it, or release by the schema that was found, with the constraint added',
    ],
    [
      [{ empty: 'note', where: 'age < 10' }],
      'schema: constraints[0]: must be about declared columns, got "note", which is left out by its type; declare it, or release by the schema that was found, with the constraint added',
    ],
  ])('is refused in one sentence with its place, before anything is spent: %j', (constraints, message) => {
    expect(said(...constraints)).toBe(message);
  });

  it('is refused where there are households', () => {
    const flat = [
      { name: 'a', type: 'boolean' },
      { name: 'b', type: 'boolean' },
    ];
    expect(() =>
      parseDraft({
        ...draftWith({ from: 'a', to: 'b', map: 'discover' }),
        attributes: flat,
        twoLevel: { key: 'home', household: ['a'], maxSize: 4 },
      }),
    ).toThrow(/^schema: columns of households cannot be asked for or left out by type, nor maps between them/);
  });
});
