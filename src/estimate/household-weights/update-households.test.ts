import { expect, it } from 'vitest';
import { householdDomain, rowsOf } from '../../../test/support/households.js';
import { plainTable } from '../../../test/support/plain-source.js';
import { groupHouseholds } from '../../domain/households/group-households.js';
import { openWeightedHouseholds } from '../../model/households/weighted-households.js';
import { holding } from '../../query/holding.js';
import { marginal } from '../../query/marginal.js';
import { seeded } from '../../random/seeded.js';
import { householdWeights } from './household-weights.js';
import { updateHouseholds } from './update-households.js';

const domain = householdDomain([2], [2], 2);
const listed = [
  { own: [0], persons: [[0]] },
  { own: [0], persons: [[1], [1]] },
  { own: [1], persons: [[0], [1]] },
];
const keys = listed.flatMap(({ persons }, id) => persons.map(() => id));
const rows = listed.flatMap((household) => rowsOf(domain, household));
const table = groupHouseholds({ table: plainTable(domain, rows), keys });
const queries = [holding('a'), marginal('a')];

const start = async (weights: number[]) =>
  householdWeights(await openWeightedHouseholds(table, queries, { threads: 1 }), Float64Array.from(weights));

const distribution = (weights: number[]) => {
  const sum = weights.reduce((a, b) => a + b);
  return weights.map((weight) => expect.closeTo(weight / sum, 12));
};

it('moves weights by exp(q (m - q(A)) / 2), where a person counts 1/M', async () => {
  // By hand: persons with a = 1 are 0, 2 and 1 of at most M = 2, so q^ = 0, 1, 1/2 and q^(A) = 0.3 + 0.5 / 2 = 0.55; towards 0.75 the exponent is 0.1 q^.
  const weights = await start([2, 3, 5]);
  expect(weights.scaled({ query: 1, cell: 1 })).toBeCloseTo(0.55, 12);
  expect(updateHouseholds(weights, [{ query: 1, cell: 1, target: 0.75 }], 10, seeded(1))).toBe(1);
  expect([...weights.distribution()]).toEqual(distribution([0.2, 0.3 * Math.exp(0.1), 0.5 * Math.exp(0.05)]));
  weights.opened.close();
});

it('counts a household once however many of its persons are in the cell', async () => {
  // By hand: households with somebody of a = 1 are the last two, q(A) = 0.8; towards 0.2 the exponent is -0.3.
  const weights = await start([2, 3, 5]);
  expect(weights.scaled({ query: 0, cell: 1 })).toBeCloseTo(0.8, 12);
  updateHouseholds(weights, [{ query: 0, cell: 1, target: 0.2 }], 10, seeded(1));
  expect([...weights.distribution()]).toEqual(distribution([0.2, 0.3 * Math.exp(-0.3), 0.5 * Math.exp(-0.3)]));
  weights.opened.close();
});

it('takes those with at least half of the largest error, of the largest only, each with the weights of its moment', async () => {
  const answers = [
    { query: 0, cell: 1, target: 0.2 }, // error 0.6
    { query: 1, cell: 1, target: 0.2 }, // error 0.35
    { query: 0, cell: 0, target: 0.5 }, // error 0.2: less than half of 0.6
  ];
  const weights = await start([2, 3, 5]);
  expect(updateHouseholds(weights, answers, 1, seeded(1))).toBe(1);
  expect([...weights.distribution()]).toEqual(distribution([0.2, 0.3 * Math.exp(-0.3), 0.5 * Math.exp(-0.3)]));
  const both = await start([2, 3, 5]);
  expect(updateHouseholds(both, answers, 10, seeded(1))).toBe(2);
  // By hand, in either order: the first by its own error, the second by the error that is then left.
  const orders = [
    [0, 1],
    [1, 0],
  ].map((order) => {
    let now = [0.2, 0.3, 0.5];
    for (const t of order) {
      const q = [
        [0, 1, 1],
        [0, 1, 0.5],
      ][t];
      const error = 0.2 - now.reduce((sum, weight, h) => sum + q[h] * weight, 0);
      now = now.map((weight, h) => weight * Math.exp((q[h] * error) / 2));
      const sum = now.reduce((a, b) => a + b);
      now = now.map((weight) => weight / sum);
    }
    return now;
  });
  const found = [...both.distribution()];
  const off = orders.map((order) => Math.max(...order.map((weight, h) => Math.abs(weight - found[h]))));
  expect(Math.min(...off)).toBeLessThan(1e-12);
  expect(Math.max(...off)).toBeGreaterThan(1e-6);
  for (const { opened } of [weights, both]) opened.close();
});

it('keeps its sums those of its weights after many updates', async () => {
  const weights = await start([1, 1, 1]);
  const answers = [
    // Of weights 0.3, 0.5 and 0.2.
    { query: 0, cell: 0, target: 0.5 },
    { query: 1, cell: 1, target: 0.6 },
  ];
  for (let round = 0; round < 400; round++) updateHouseholds(weights, answers, 5, seeded(round));
  await weights.refresh();
  for (const { query, cell, target } of answers) {
    expect(weights.scaled({ query, cell })).toBeCloseTo(target, 2);
    expect(weights.opened.sums(query)[cell] / (query === 0 ? 1 : 2)).toBeCloseTo(weights.scaled({ query, cell }), 12);
  }
  weights.opened.close();
});
