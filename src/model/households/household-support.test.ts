import { expect, it } from 'vitest';
import { householdDomain, householdTable } from '../../../test/support/households.js';
import { plainDomain } from '../../../test/support/plain-source.js';
import { seeded } from '../../random/seeded.js';
import { householdSupportOf, redrawHouseholds } from './household-support.js';

const domain = householdDomain([2], [11, 2], 3);

it('lists households once that no query tells apart, whatever the order of their persons', () => {
  const support = householdSupportOf(
    householdTable(domain, [
      {
        own: [0],
        persons: [
          [1, 0],
          [10, 1],
        ],
      },
      {
        own: [0],
        persons: [
          [10, 1],
          [1, 0],
        ],
      },
      {
        own: [1],
        persons: [
          [1, 0],
          [10, 1],
        ],
      },
      {
        own: [0],
        persons: [
          [1, 0],
          [1, 0],
          [10, 1],
        ],
      },
      {
        own: [0],
        persons: [
          [1, 0],
          [10, 1],
        ],
      },
      // Codes side by side must not read as others.
      {
        own: [0],
        persons: [
          [1, 1],
          [10, 0],
        ],
      },
    ]),
  );
  expect([...support.weights]).toEqual([3 / 6, 1 / 6, 1 / 6, 1 / 6]);
  expect([...support.table.offsets]).toEqual([0, 2, 4, 7, 9]);
  expect(support.table.columns.map((column) => [...column])).toEqual([
    [0, 0, 1, 1, 0, 0, 0, 0, 0],
    [1, 10, 1, 10, 1, 1, 10, 1, 10],
    [0, 1, 0, 1, 0, 0, 1, 1, 0],
  ]);
});

it('refuses a table without households and one that declares none', () => {
  expect(() => householdSupportOf(householdTable(domain, []))).toThrow('public households: must be at least one');
  const plain = { domain: plainDomain([2]), length: 1, columns: [Uint8Array.of(0)], offsets: Uint32Array.of(0, 1) };
  expect(() => householdSupportOf(plain)).toThrow(/must be declared by the domain/);
});

it('draws weights anew around those that there are: none vanishes, and their mean is right to 5 standard errors', () => {
  const support = householdSupportOf(
    householdTable(
      domain,
      Array.from({ length: 20 }, (_, i) => ({ own: [Number(i > 4)], persons: [[0, 0]] })),
    ),
  );
  const random = seeded(3);
  const first = Array.from({ length: 400 }, () => redrawHouseholds(support, random).weights[0]);
  expect(Math.min(...first)).toBeGreaterThan(0);
  expect(new Set(first).size).toBe(400);
  // Dirichlet weights: the mean is 1/4, the variance (1/4)(3/4)/(n + 1) of n >= 4 records.
  const mean = first.reduce((a, b) => a + b) / 400;
  expect(Math.abs(mean - 0.25)).toBeLessThan(5 * Math.sqrt(0.1875 / 5 / 400));
});
