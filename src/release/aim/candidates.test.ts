import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf } from '../../domain/domain.js';
import { domainOf } from '../../domain/domain-of.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import { marginal } from '../../query/marginal.js';
import { affordable, promising } from './candidates.js';

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

test('affordable candidates are those that leave the tree small, single attributes, and what the tree already holds', () => {
  const measured = [
    ['a', 'b'],
    ['b', 'c'],
  ];
  const tree = junctionTree(domain, measured);
  const candidates = [['e'], ['a', 'b'], ['a', 'c'], ['d', 'e'], ['a', 'd', 'e']].map((set) => ({
    query: marginal(...set),
    weight: 1,
  }));
  const bytes = treeSize(tree).bytes + 8 * 20;
  const kept = affordable(tree, measured, candidates, bytes).map(({ query }) => query.attributes.join(''));
  const brute = candidates
    .map(({ query }) => query.attributes)
    .filter((set) => set.length === 1 || treeSize(junctionTree(domain, [...measured, set])).bytes <= bytes)
    .map((set) => set.join(''));
  expect(kept).toEqual(brute);
  expect(kept).toContain('ab');
  expect(kept).not.toContain('ade');
});
