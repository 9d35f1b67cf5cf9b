import { expect, it } from 'vitest';
import { type Household, householdAnswers, householdDomain, rowsOf } from '../../test/support/households.js';
import { plainTable } from '../../test/support/plain-source.js';
import { groupHouseholds } from '../domain/households/group-households.js';
import { householdSupportModel } from '../model/households/household-support-model.js';
import { holding } from '../query/holding.js';
import { marginal } from '../query/marginal.js';
import { seeded } from '../random/seeded.js';
import { compareHouseholds } from './compare-households.js';

const one: Household[] = [
  { own: [0], persons: [[0], [1]] },
  { own: [1], persons: [[2]] },
  { own: [1], persons: [[1], [1]] },
];
const two: Household[] = [
  { own: [0], persons: [[0]] },
  { own: [1], persons: [[2], [2]] },
];

it.each([false, true])(
  'has the errors of single answers at both levels, and of sizes (an attribute: %s)',
  async (sized) => {
    const domain = householdDomain([2], [3], 2, sized);
    const modelOf = (homes: readonly Household[]) => {
      const table = plainTable(
        domain,
        homes.flatMap((home) => rowsOf(domain, home)),
      );
      const keys = homes.flatMap(({ persons }, h) => persons.map(() => h));
      const weights = new Float64Array(homes.length).fill(1 / homes.length);
      return householdSupportModel({ table: groupHouseholds({ table, keys }), weights }, homes.length);
    };
    const { households, persons, sizes } = await compareHouseholds(modelOf(one), modelOf(two), { random: seeded(1) });
    const pair = ['g', 'a'];
    const errors = (
      query: ReturnType<typeof holding> | ReturnType<typeof marginal>,
      of: (homes: readonly Household[]) => number,
    ) => {
      const [a, b] = [one, two].map((homes) =>
        householdAnswers(query, domain, homes).map((answer) => answer / of(homes)),
      );
      return Array.from(a, (share, i) => Math.abs(share - b[i]));
    };
    const people = (homes: readonly Household[]) => homes.reduce((sum, home) => sum + home.persons.length, 0);
    if (!sized) {
      const held = errors(holding(...pair), (homes) => homes.length);
      expect(households[1]).toMatchObject({ way: 2, queries: 1, answers: 6, where: pair });
      expect(households[1].largest).toBeCloseTo(Math.max(...held), 12);
      expect(households[1].mean).toBeCloseTo(held.reduce((a, b) => a + b) / 6, 12);
      expect(persons[1].largest).toBeCloseTo(Math.max(...errors(marginal(...pair), people)), 12);
    } else expect(households.map(({ queries }) => queries)).toEqual([3, 3, 1]);
    // Two of three households have two persons, and one of two: drawn ones where there is no attribute, each kind to within one in 20,000.
    expect(sizes.map(({ first, second }) => [first, second])).toEqual([
      [expect.closeTo(1 / 3, 3), expect.closeTo(1 / 2, 3)],
      [expect.closeTo(2 / 3, 3), expect.closeTo(1 / 2, 3)],
    ]);
  },
);
