import fc from 'fast-check';
import { expect, it } from 'vitest';
import { householdDomain } from '../../../test/support/households.js';
import { plainTable } from '../../../test/support/plain-source.js';
import { seeded } from '../../random/seeded.js';
import { shuffle } from '../../random/shuffle.js';
import { decodeTable } from '../encode/decode-table.js';
import { encodeHouseholds } from './encode-households.js';
import { groupHouseholds } from './group-households.js';
import { householdKeys } from './household-keys.js';
import { keyedTables } from './keyed-tables.js';

it('gives every person a household and every household its persons, so that the two tables join to what they came from', () => {
  const row = fc.tuple(fc.nat(1), fc.nat(2), fc.nat(1));
  const home = fc.tuple(fc.nat(1), fc.array(row, { minLength: 1, maxLength: 3 }));
  fc.assert(
    fc.property(fc.array(home, { minLength: 1, maxLength: 8 }), fc.boolean(), fc.nat(), (homes, sized, seed) => {
      const domain = householdDomain([2], [2, 3, 2], 3, sized);
      const rows = homes.flatMap(([own, persons]) =>
        persons.map((person) => [own, ...person, ...(sized ? [persons.length - 1] : [])]),
      );
      const table = groupHouseholds({
        table: plainTable(domain, rows),
        keys: homes.flatMap(([, persons], h) => persons.map(() => h)),
      });
      const { households, persons } = keyedTables(table, 'home');
      expect([households.length, persons.length]).toEqual([homes.length, rows.length]);
      // Keys are fresh: numbers from 1 in the order of the households, and none but theirs.
      const values = {
        homes: decodeTable(households, { random: seeded(1) }),
        people: decodeTable(persons, { random: seeded(1) }),
      };
      expect(values.homes.home).toEqual(homes.map((_, h) => h + 1));
      expect(values.people.home).toEqual([...householdKeys(table)].map((h) => h + 1));
      // In any order of the rows they join to the same households.
      const mixed = (columns: Record<string, unknown[]>) => {
        const order = shuffle([...columns.home.keys()], seeded(seed));
        return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, order.map((i) => column[i])]));
      };
      const joined = groupHouseholds(
        encodeHouseholds(domain, 'home', { households: mixed(values.homes), persons: mixed(values.people) }),
      );
      const textOf = (of: typeof table) =>
        Array.from({ length: of.offsets.length - 1 }, (_, h) =>
          Array.from({ length: of.offsets[h + 1] - of.offsets[h] }, (_, i) =>
            of.columns.map((column) => column[of.offsets[h] + i]).join(),
          )
            .sort()
            .join(';'),
        ).sort();
      expect(textOf(joined)).toEqual(textOf(table));
    }),
    { numRuns: 200, seed: 4 },
  );
});
