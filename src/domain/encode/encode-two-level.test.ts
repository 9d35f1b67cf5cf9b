import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../random/seeded.js';
import { InputError } from '../input-error.js';
import { parseSchema } from '../schema/parse-schema.js';
import { twoLevelDomain } from '../schema/two-level-domain.js';
import { encodeTwoLevel } from './encode-two-level.js';

const schemaWith = (maxSize: number) =>
  parseSchema({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [
      { name: 'age', type: 'integer', min: 0, max: 99 },
      { name: 'income', type: 'category', values: ['low', 'high'] },
    ],
    twoLevel: { key: 'hh', household: ['income'], maxSize },
  });

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'accepted';
};

test('the attributes named under household make one domain, the others another', () => {
  const domain = twoLevelDomain(schemaWith(4));
  expect(domain.household.attributes.map(({ name }) => name)).toEqual(['income']);
  expect(domain.person.attributes.map(({ name }) => name)).toEqual(['age']);
  expect([domain.key, domain.maxSize]).toEqual(['hh', 4]);
  const flat = parseSchema({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [{ name: 'a', type: 'boolean' }],
  });
  expect(() => twoLevelDomain(flat)).toThrow('need `twoLevel`');
});

test('persons come sorted by household, keys compare as text, and a household may be empty', () => {
  const table = encodeTwoLevel(
    twoLevelDomain(schemaWith(3)),
    { hh: ['7', '8', '9'], income: ['low', 'high', 'low'] },
    { hh: [9, 7n, '9', 7], age: [30, 40, 50, 60] },
    seeded(1),
  );
  expect([...table.households.columns[0]]).toEqual([0, 1, 0]);
  expect([...table.offsets]).toEqual([0, 2, 2, 4]);
  expect([...table.persons.columns[0]]).toEqual([40, 60, 30, 50]);
});

test('exactly the persons of each household are kept, at most maxSize of them, in their order', () => {
  const persons = fc.array(fc.nat(5), { maxLength: 40 });
  fc.assert(
    fc.property(persons, fc.integer({ min: 1, max: 6 }), fc.nat(), (homes, maxSize, seed) => {
      const table = encodeTwoLevel(
        twoLevelDomain(schemaWith(maxSize)),
        { hh: [0, 1, 2, 3, 4, 5], income: Array(6).fill('low') },
        { hh: homes, age: homes.map((_, row) => row) },
        seeded(seed),
      );
      for (let h = 0; h < 6; h++) {
        const mine = homes.flatMap((home, row) => (home === h ? [row] : []));
        const kept = [...table.persons.columns[0].subarray(table.offsets[h], table.offsets[h + 1])];
        expect(kept).toHaveLength(Math.min(mine.length, maxSize));
        expect(mine.filter((row) => kept.includes(row))).toEqual(kept);
      }
      expect(table.persons.length).toBe(table.offsets[6]);
    }),
  );
});

test('every pair of persons of a household is equally likely to be kept', () => {
  const random = seeded(11);
  const domain = twoLevelDomain(schemaWith(2));
  const counts = new Map<string, number>();
  const runs = 6000;
  for (let run = 0; run < runs; run++) {
    const table = encodeTwoLevel(domain, { hh: [1], income: ['low'] }, { hh: [1, 1, 1, 1], age: [0, 1, 2, 3] }, random);
    const pair = [...table.persons.columns[0]].join();
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  // Seeded, so it cannot flicker; the statistic is below the 1 - 1e-6 quantile of chi-square with 5 degrees of freedom.
  const statistic = [...counts.values()].reduce((sum, count) => sum + (count - runs / 6) ** 2 / (runs / 6), 0);
  expect(statistic).toBeLessThan(35.9);
});

describe('a key that does not join is refused with the table and the row, never the key', () => {
  const households = { hh: ['a', 'b'], income: ['low', 'low'] };
  const encode = (homes: object, persons: object) => () =>
    encodeTwoLevel(
      twoLevelDomain(schemaWith(2)),
      homes as Record<string, unknown[]>,
      persons as Record<string, unknown[]>,
      seeded(1),
    );
  test.each([
    [
      { ...households, hh: ['a', 'a'] },
      { hh: [], age: [] },
      'households table, column "hh", row 2: must differ from all rows above; keep one row a household',
    ],
    [
      { ...households, hh: ['a', null] },
      { hh: [], age: [] },
      'households table, column "hh", row 2: must not be empty',
    ],
    [
      households,
      { hh: ['a', 'secret'], age: [1, 2] },
      'persons table, column "hh", row 2: is not in the households table; add the household or drop the row',
    ],
    [households, { hh: [''], age: [1] }, 'persons table, column "hh", row 1: must not be empty'],
    [households, { age: [1] }, 'persons table, column "hh": missing from the table; it has age'],
    [
      households,
      { hh: ['a'], age: ['x'] },
      'persons table, column "age", row 1: not a whole number; correct it, list the text in `nullValues`, or declare the attribute as "number"',
    ],
  ])('%j with %j', (homes, persons, message) => {
    expect(messageOf(encode(homes, persons))).toBe(message);
  });
});
