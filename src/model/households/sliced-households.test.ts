import { expect, it } from 'vitest';
import { nodeWorkers } from '../../../adapters/node-workers.js';
import { type Household, householdAnswers, householdDomain, householdTable } from '../../../test/support/households.js';
import { type Counted, holding } from '../../query/holding.js';
import { marginal } from '../../query/marginal.js';
import { seeded } from '../../random/seeded.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import type { Weighted } from '../support/weighted.js';
import { householdSupportOf } from './household-support.js';
import { checkSlicedHouseholds, openSlicedHouseholds } from './sliced-households.js';

const domain = householdDomain([3, 2], [2, 3], 4, true);
const random = seeded(15);
const code = (size: number) => uniformInteger(random, size);
const made = (count: number): Household[] =>
  Array.from({ length: count }, () => ({
    own: [code(3), code(2)],
    persons: Array.from({ length: 1 + code(4) }, () => [code(2), code(3)]),
  }));
const queries: Counted[] = [
  holding('g', 'a', 'b'),
  marginal('g', 'a', 'b'),
  holding('b', 'h'),
  holding('size', 'a'),
  holding(),
  marginal(),
];

/** The sums of all queries for these weights, and what each household gathers of these potentials. */
const both = async (opened: Weighted, weights: Float64Array, potentials: readonly number[][]) => {
  const [given, gathered] = [opened.vector(), opened.vector()];
  given.view.set(weights);
  for (const [q, { from }] of opened.maps.entries()) opened.potentials.view.set(potentials[q], from);
  await opened.run((slice) => [...opened.scatter(given, slice), ...opened.gather(gathered, slice)]);
  opened.collect();
  return {
    sums: opened.maps.map(({ from, cells }) => [...opened.sums.view.subarray(from, from + cells)]),
    gathered: [...gathered.view],
  };
};

it('scatters what each household adds by definition, and gathers the same back', async () => {
  const listed = made(25);
  const support = { table: householdTable(domain, listed), weights: Float64Array.from(listed, () => 1 / 25) };
  const opened = await openSlicedHouseholds(support, queries, { threads: 1 });
  const weights = Float64Array.from(listed, () => uniform(random));
  const potentials = opened.maps.map(({ cells }) => Array.from({ length: cells }, () => uniform(random) - 0.5));
  const { sums, gathered } = await both(opened, weights, potentials);
  const added = listed.map((household) => queries.map((query) => householdAnswers(query, domain, [household])));
  for (const q of queries.keys())
    expect(sums[q]).toEqual(
      sums[q].map((_, cell) =>
        expect.closeTo(
          added.reduce((sum, own, h) => sum + weights[h] * own[q][cell], 0),
          12,
        ),
      ),
    );
  expect(gathered).toEqual(
    added.map((own) =>
      expect.closeTo(
        own.reduce(
          (sum, answers, q) => sum + answers.reduce((all, add, cell) => all + add * potentials[q][cell], 0),
          0,
        ),
        12,
      ),
    ),
  );
  opened.close();
});

it('does so on two threads as on one, to 1e-12', async () => {
  const support = householdSupportOf(householdTable(domain, made(4000)));
  const weights = support.weights.map(() => uniform(random));
  const [one, two] = [
    await openSlicedHouseholds(support, queries, { threads: 1 }),
    await openSlicedHouseholds(support, queries, { threads: 2, workers: nodeWorkers }),
  ];
  const potentials = one.maps.map(({ cells }) => Array.from({ length: cells }, () => uniform(random) - 0.5));
  const [a, b] = [await both(one, weights, potentials), await both(two, weights, potentials)];
  for (const [q, sums] of a.sums.entries()) expect(b.sums[q]).toEqual(sums.map((sum) => expect.closeTo(sum, 8)));
  expect(b.gathered).toEqual(a.gathered);
  for (const opened of [one, two]) opened.close();
});

it('refuses what kernel memory does not hold', () => {
  const table = { ...householdTable(domain, made(3)), length: 2e8 };
  expect(() => checkSlicedHouseholds({ table }, queries)).toThrow(
    /with 200000000 persons of public households they must fit 3.5 GB/,
  );
});
