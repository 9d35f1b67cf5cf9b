import { expect, it } from 'vitest';
import { plainDomain, plainTable, type Row } from '../../../test/support/plain-source.js';
import { allMarginals } from '../../query/workload/all-marginals.js';
import { joinedSupport, joinedTable } from './joined.js';
import { supportOf } from './support.js';
import { supportModel } from './support-model.js';

const domain = plainDomain([3, 2]);
const few: Row[] = [
  [0, 0],
  [1, 1],
];
const many: Row[] = [
  [0, 0],
  [2, 0],
  [2, 0],
  [2, 1],
  [0, 0],
];
const [a, b] = [plainTable(domain, few), plainTable(domain, many)];

it('gives every answer as the mixture of the tables by their weights, however many rows each has', () => {
  for (const [weights, shares] of [
    [
      [undefined, undefined],
      [0.5, 0.5],
    ],
    [
      [1, 3],
      [0.25, 0.75],
    ],
  ] as const) {
    const joined = joinedSupport([
      { table: a, weight: weights[0] },
      { table: b, weight: weights[1] },
    ]);
    // A row of both tables is one row.
    expect(joined.length).toBe(4);
    expect(joined.weights.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 12);
    for (const { query } of allMarginals(domain, 2).queries) {
      const [of, first, second] = [joined, supportOf(a), supportOf(b)].map((one) => supportModel(one, 1).answer(query));
      of.forEach((answer, cell) => {
        expect(answer).toBeCloseTo(shares[0] * first[cell] + shares[1] * second[cell], 12);
      });
    }
  }
});

it('is one table after the other, and one table alone is itself', () => {
  expect([...joinedTable([a, b]).columns[0]]).toEqual([0, 1, 0, 2, 2, 2, 0]);
  expect(joinedSupport([{ table: b, weight: 7 }])).toEqual(supportOf(b));
});

it('refuses weights that are none, tables without rows, and tables of several domains', () => {
  for (const weight of [0, -1, Number.NaN, Infinity])
    expect(() => joinedSupport([{ table: a, weight }, { table: b }])).toThrow(/weight must be a number above 0/);
  expect(() => joinedSupport([{ table: a }, { table: plainTable(domain, []) }])).toThrow(/at least one row/);
  expect(() => joinedTable([a, plainTable(plainDomain([3, 3]), few)])).toThrow(/one domain/);
  expect(() => joinedTable([])).toThrow(/at least one/);
});
