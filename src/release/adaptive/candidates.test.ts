import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf } from '../../domain/domain.js';
import { domainOf } from '../../domain/domain-of.js';
import { marginal } from '../../query/marginal.js';
import { lookedAt, promising } from './candidates.js';

const domain = domainOf(
  [2, 3, 4, 5, 6].map((size, i) => ({ type: 'integer', name: 'abcde'[i], min: 0, max: size - 1 })),
);
const names = ['a', 'b', 'c', 'd', 'e'];
const sets = fc
  .uniqueArray(fc.subarray(names, { minLength: 1 }), { minLength: 2, selector: (set) => set.join() })
  .map((list) => list.map((attributes, i) => ({ query: marginal(...attributes), weight: 1 + (i % 3) })));

test('whatever distances between 0 and twice the total, the best candidate is among the promising ones', () => {
  fc.assert(
    fc.property(
      sets,
      fc.double({ min: 0.01, max: 50, noNaN: true }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (candidates, noise, stream) => {
        const total = 100;
        const offsetOf = (query: { attributes: readonly string[] }) => noise * cellsOf(domain, query.attributes);
        const scores = candidates.map(
          ({ query, weight }) => weight * (2 * total * Number(stream.next().value) - offsetOf(query)),
        );
        const best = candidates[scores.indexOf(Math.max(...scores))];
        expect(promising(candidates, offsetOf, total)).toContain(best);
      },
    ),
  );
});

test('much noise leaves small marginals only', () => {
  const candidates = [['a'], ['a', 'b'], ['c', 'd', 'e']].map((set) => ({ query: marginal(...set), weight: 1 }));
  const left = promising(candidates, ({ attributes }) => 5 * cellsOf(domain, attributes), 100);
  expect(left.map(({ query }) => query.attributes.join(''))).toEqual(['a', 'ab']);
});

test('a round looks at all candidates, or at every attribute and some others, the same when it is made again', () => {
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => marginal(a, b)));
  const candidates = [...pairs, ...names.map((name) => marginal(name))].map((query) => ({ query, weight: 1 }));
  expect(lookedAt(candidates, 3, 15)).toEqual(candidates);
  const seen = new Set<string>();
  for (let round = 0; round < 100; round++) {
    const some = lookedAt(candidates, round, 4).map(({ query }) => query.attributes.join(''));
    expect(lookedAt(candidates, round, 4).map(({ query }) => query.attributes.join(''))).toEqual(some);
    expect(some.slice(0, 5)).toEqual(names);
    expect(new Set(some).size).toBe(9);
    for (const each of some) seen.add(each);
  }
  expect(seen.size).toBe(15);
});
