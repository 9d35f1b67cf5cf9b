import { expect, it } from 'vitest';
import { nodeWorkers } from '../adapters/node-workers.js';
import { openWeightedHouseholds } from '../src/model/households/weighted-households.js';
import { describeQuery } from '../src/query/describe-query.js';
import { type Counted, holding, holdingCell } from '../src/query/holding.js';
import { marginal } from '../src/query/marginal.js';
import { parseQuery } from '../src/query/parse-query.js';
import { queryKey } from '../src/query/query-key.js';
import { seeded } from '../src/random/seeded.js';
import { uniform } from '../src/random/uniform.js';
import { allHouseholds } from '../src/release/h-mwem/all-households.js';
import { householdDomain } from './support/households.js';

const domain = householdDomain([5, 3, 2, 2], [2, 2, 2, 2], 3);

it('two threads that share the queries find the sums of one, digit for digit', async () => {
  const { table, weights } = allHouseholds(domain);
  // Enough work for two: 164,160 persons and 8 queries.
  const queries: Counted[] = [
    ['g', 'a', 'b'],
    ['a', 'b', 'c'],
    ['g', 'h'],
    ['d', 'i', 'j'],
  ].flatMap((names) => [holding(...names), marginal(...names)]);
  const random = seeded(2);
  const own = weights.map(() => uniform(random));
  const [one, two] = [
    await openWeightedHouseholds(table, queries, { threads: 1 }),
    await openWeightedHouseholds(table, queries, { threads: 2, workers: nodeWorkers }),
  ];
  for (const opened of [one, two]) await opened.scatter(own);
  for (const q of queries.keys()) expect([...two.sums(q)]).toEqual([...one.sums(q)]);
  expect(one.sums(0).some((sum) => sum > 0)).toBe(true);
  for (const opened of [one, two]) opened.close();
});

it('a count of households in one cell is read from JSON, checked, and told apart from the whole and from other cells', () => {
  const query = parseQuery({ kind: 'holding', attributes: ['g', 'a'], cell: 9 }, domain);
  expect(query).toEqual(holdingCell(['g', 'a'], 9));
  expect(describeQuery(query)).toBe('households with g x a, cell 9');
  const keys = [query, holding('g', 'a'), holdingCell(['g', 'a'], 8), marginal('g', 'a')].map(queryKey);
  expect(new Set(keys).size).toBe(4);
  for (const cell of [10, -1, 0.5])
    expect(() => parseQuery({ kind: 'holding', attributes: ['g', 'a'], cell }, domain)).toThrow(/query/);
});
