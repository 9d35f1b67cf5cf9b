import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../random/seeded.js';
import { indexOf } from '../domain.js';
import { InputError } from '../input-error.js';
import { domainFromSchema, parseSchema } from '../schema/parse-schema.js';
import type { TwoLevelSpec } from '../schema/schema.js';
import { encodeHouseholds, type HouseholdColumns } from './encode-households.js';
import { type GroupOptions, groupHouseholds } from './group-households.js';

const schemaWith = (twoLevel: Partial<TwoLevelSpec> = {}) =>
  parseSchema({
    surmise: 1,
    origin: { kind: 'declared' },
    attributes: [
      { name: 'age', type: 'integer', min: 0, max: 99 },
      { name: 'income', type: 'category', values: ['low', 'high'] },
    ],
    twoLevel: { key: 'hh', household: ['income'], maxSize: 3, ...twoLevel },
  });
const domainWith = (twoLevel: Partial<TwoLevelSpec> = {}) => domainFromSchema(schemaWith(twoLevel));

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'accepted';
};

test('a two-level schema has one domain of persons, which says what is the household’s, its number of persons last', () => {
  const domain = domainWith({ size: 'persons' });
  expect(domain.attributes.map(({ name, size }) => [name, size])).toEqual([
    ['age', 100],
    ['income', 2],
    ['persons', 3],
  ]);
  expect(domain.households).toEqual({ attributes: ['income', 'persons'], maxSize: 3, size: 'persons' });
  expect(domainWith().households).toEqual({ attributes: ['income'], maxSize: 3 });
  expect(messageOf(() => schemaWith({ size: 'age' }))).toMatch('schema: twoLevel.size');
  expect(messageOf(() => schemaWith({ maxSize: 256 }))).toBe('schema: twoLevel.maxSize: must be at most 255, got 256');
});

const grouped = (columns: HouseholdColumns, options: GroupOptions = {}, twoLevel: Partial<TwoLevelSpec> = {}) =>
  groupHouseholds(encodeHouseholds(domainWith(twoLevel), 'hh', columns), options);

test('one table and two give the same households: persons together, keys compared as text, empty households left out', () => {
  const persons = { hh: [9, 7n, '9', 7], age: [30, 40, 50, 60] };
  const apart = { persons, households: { hh: ['7', '8', '9'], income: ['low', 'high', 'high'] } };
  const together = { persons: { ...persons, income: ['high', 'low', 'high', 'low'] } };
  for (const columns of [apart, together]) {
    const { columns: codes, offsets, length, domain } = grouped(columns, {}, { size: 'persons' });
    expect([...offsets]).toEqual([0, 2, 4]);
    expect(length).toBe(4);
    const of = (name: string) => [...codes[indexOf(domain, name)]];
    expect([of('age'), of('income'), of('persons')]).toEqual([
      [30, 50, 40, 60],
      [1, 1, 0, 0],
      [1, 1, 1, 1],
    ]);
  }
});

test('under either rule a household within the size keeps all its persons; a larger one keeps none, or maxSize of them', () => {
  const persons = fc.array(fc.nat(5), { maxLength: 40 });
  fc.assert(
    fc.property(persons, fc.integer({ min: 1, max: 6 }), fc.nat(), (homes, maxSize, seed) => {
      for (const rule of ['exclude', 'trim'] as const) {
        const columns = { persons: { hh: homes, age: homes.map((_, row) => row), income: homes.map(() => 'low') } };
        const table = grouped(columns, { rule, random: seeded(seed) }, { maxSize, size: 'persons' });
        const kept = Array.from({ length: table.offsets.length - 1 }, (_, h) => [
          ...table.columns[0].subarray(table.offsets[h], table.offsets[h + 1]),
        ]);
        const first = [...new Set(homes)].map((home) => homes.flatMap((other, row) => (other === home ? [row] : [])));
        const expected = rule === 'exclude' ? first.filter((rows) => rows.length <= maxSize) : first;
        expect(kept.length).toBe(expected.length);
        for (const [h, rows] of expected.entries()) {
          expect(kept[h]).toHaveLength(Math.min(rows.length, maxSize));
          expect(rows.filter((row) => kept[h].includes(row))).toEqual(kept[h]);
          for (let i = table.offsets[h]; i < table.offsets[h + 1]; i++)
            expect(table.columns[2][i]).toBe(kept[h].length - 1);
        }
      }
    }),
  );
});

test('every pair of persons of a household that is trimmed to two is equally likely to be kept', () => {
  const random = seeded(11);
  const counts = new Map<string, number>();
  const runs = 6000;
  const columns = { persons: { hh: [1, 1, 1, 1], age: [0, 1, 2, 3], income: Array(4).fill('low') } };
  for (let run = 0; run < runs; run++) {
    const pair = [...grouped(columns, { rule: 'trim', random }, { maxSize: 2 }).columns[0]].join();
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  // Seeded, so it cannot flicker; the statistic is below the 1 - 1e-6 quantile of chi-square with 5 degrees of freedom.
  const statistic = [...counts.values()].reduce((sum, count) => sum + (count - runs / 6) ** 2 / (runs / 6), 0);
  expect(statistic).toBeLessThan(35.9);
});

test('what becomes of a household depends on no other household', () => {
  const table = fc.array(fc.tuple(fc.nat(3), fc.nat(99), fc.boolean()), { maxLength: 14 });
  fc.assert(
    fc.property(table, fc.nat(3), fc.constantFrom('exclude', 'trim'), (rows, gone, rule) => {
      const householdsOf = (some: typeof rows) => {
        const columns = {
          persons: {
            hh: some.map(([home]) => home),
            age: some.map(([, age]) => age),
            income: some.map(([, , high]) => (high ? 'high' : 'low')),
          },
        };
        // Trimming as if every draw kept the first ones: the draws themselves are independent of the rows.
        const random = { uint32: () => 0 };
        const { columns: codes, offsets } = grouped(columns, { rule: rule as 'trim', random, firstSpeaks: true });
        return Array.from({ length: offsets.length - 1 }, (_, h) =>
          codes.map((column) => column.slice(offsets[h], offsets[h + 1]).join()).join('|'),
        );
      };
      const rest = householdsOf(rows.filter(([home]) => home !== gone));
      const one = householdsOf(rows.filter(([home]) => home === gone));
      expect([...rest, ...one].sort()).toEqual(householdsOf(rows).sort());
    }),
  );
});

describe('rows that contradict one another are refused with the table and the row, never a value', () => {
  const households = { hh: ['a', 'b'], income: ['low', 'low'] };
  test.each<[HouseholdColumns, string]>([
    [
      { households: { ...households, hh: ['a', 'a'] }, persons: { hh: [], age: [] } },
      'households table, row 2: must have a key that no row above has; keep one row a household',
    ],
    [
      { households: { ...households, hh: ['a', null] }, persons: { hh: [], age: [] } },
      'households table, column "hh", row 2: empty, and every row must say which household it is of; fill it in or leave the row out',
    ],
    [
      { households, persons: { hh: ['a', 'secret'], age: [1, 2] } },
      'persons table, row 2: must have a key of the households table; add the household or drop the row',
    ],
    [{ households, persons: { age: [1] } }, 'persons table, column "hh": missing from the table; it has age'],
    [
      { persons: { hh: ['a', 'b', 'a'], age: [1, 2, 3], income: ['low', 'low', 'high'] } },
      'column "income", row 3: must be the same for all persons of a household; correct it, or let the first person speak for the household',
    ],
  ])('%j', (columns, message) => {
    expect(messageOf(() => grouped(columns))).toBe(message);
  });

  test('but settled one household at a time under a rule by which no row stops a run', () => {
    const domain = domainWith();
    const joined = encodeHouseholds(
      domain,
      'hh',
      {
        households: { hh: ['a', 'a', 'b'], income: ['high', 'low', 'low'] },
        persons: { hh: ['a', 'stray', 'b'], age: [1, 2, 3] },
      },
      { outside: 'clip' },
    );
    expect([...groupHouseholds(joined).columns[1]]).toEqual([1, 0]);
    const one = encodeHouseholds(domain, 'hh', {
      persons: { hh: ['a', 'a'], age: [1, 2], income: ['high', 'low'] },
    });
    expect([...groupHouseholds(one, { firstSpeaks: true }).columns[1]]).toEqual([1, 1]);
  });
});
