import { expect, it } from 'vitest';
import { domainFromSchema } from '../../domain/schema/parse-schema.js';
import { holding } from '../../query/holding.js';
import { householdPriorOf } from './household-prior.js';
import { householdSupportOf } from './household-support.js';
import { householdSupportModel } from './household-support-model.js';

const attributes = (open: 'both' | undefined) =>
  [
    { name: 'moved', type: 'integer', min: 2017, max: 2018, ...(open && { open }) },
    { name: 'age', type: 'integer', min: 0, max: 2, ...(open && { open }) },
  ] as const;
const twoLevel = { key: 'id', household: ['moved'], maxSize: 3, size: 'persons' };
const tableOf = (open: 'both' | undefined) => ({
  domain: domainFromSchema({ attributes: attributes(open), twoLevel }),
  length: 4,
  columns: [Uint8Array.of(1, 1, 2, 1), Uint8Array.of(1, 2, 3, 1), Uint8Array.of(1, 1, 0, 0)],
  offsets: Uint32Array.of(0, 2, 3, 4),
});

it('public households have copies beyond every open end, whose persons agree on what is the household’s, of little weight', () => {
  const prior = householdPriorOf(tableOf('both'));
  const { table, weights } = prior;
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  for (let h = 0; h < weights.length; h++) {
    const own = [...table.columns[0].subarray(table.offsets[h], table.offsets[h + 1])];
    expect(new Set(own).size).toBe(1);
  }
  const model = householdSupportModel(prior, 3);
  const [moved, ages] = [model.answer(holding('moved')), model.answer(holding('age'))];
  // Half a household each, of 3 and the copies of four ends.
  for (const cell of [moved[0], moved[3], ages[0], ages[4]]) {
    expect(cell).toBeGreaterThan(0.4 * (3 / 5));
    expect(cell).toBeLessThan(0.9 * (3 / 5));
  }
});

it('without open ends they are the public households', () => {
  expect(householdPriorOf(tableOf(undefined))).toEqual(householdSupportOf(tableOf(undefined)));
});
