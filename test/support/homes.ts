import { seeded } from '../../src/random/seeded.js';
import { uniformInteger } from '../../src/random/uniform.js';

/** Tables of a made-up village: households with 1 to 4 persons, whose keys are words. */
export const homes = (count: number, seed: number): { readonly persons: string; readonly households: string } => {
  const random = seeded(seed);
  const one = <T>(...values: readonly T[]): T => values[uniformInteger(random, values.length)];
  const households = ['hhID,region,dwelling\n'];
  const persons = ['hhID,age,sex\n'];
  for (let home = 0; home < count; home++) {
    households.push(`home-${home},${one('north', 'south', 'south')},${one('house', 'flat')}\n`);
    const size = one(1, 1, 2, 2, 3, 4);
    for (let i = 0; i < size; i++)
      persons.push(
        `home-${home},${i < 2 ? 20 + uniformInteger(random, 60) : uniformInteger(random, 18)},${one('f', 'm')}\n`,
      );
  }
  return { persons: persons.join(''), households: households.join('') };
};

/** A schema of that village, with households of up to three persons. */
export const homeSchema = {
  surmise: 1,
  origin: { kind: 'declared' },
  attributes: [
    { name: 'region', type: 'category', values: ['north', 'south'] },
    { name: 'dwelling', type: 'category', values: ['house', 'flat'] },
    { name: 'age', type: 'integer', edges: [0, 18, 65, 120] },
    { name: 'sex', type: 'category', values: ['f', 'm'] },
  ],
  twoLevel: { key: 'hhID', household: ['region', 'dwelling'], maxSize: 3, size: 'persons' },
} as const;
