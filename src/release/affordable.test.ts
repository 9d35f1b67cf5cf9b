import { expect, test } from 'vitest';
import { domainOf } from '../domain/domain-of.js';
import { junctionTree, treeSize } from '../model/graphical/tree/junction-tree.js';
import { affordable } from './affordable.js';

const domain = domainOf(
  [2, 3, 4, 5, 6].map((size, i) => ({ type: 'integer', name: 'abcde'[i], min: 0, max: size - 1 })),
);

test('affordable candidates are those that leave the tree small, single attributes, and what the tree already holds', () => {
  const measured = [
    ['a', 'b'],
    ['b', 'c'],
  ];
  const tree = junctionTree(domain, measured);
  const candidates = [['e'], ['a', 'b'], ['a', 'c'], ['d', 'e'], ['a', 'd', 'e']];
  const bytes = treeSize(tree).bytes + 8 * 20;
  const kept = affordable(tree, measured, candidates, (set) => set, bytes).map((set) => set.join(''));
  const brute = candidates
    .filter((set) => set.length === 1 || treeSize(junctionTree(domain, [...measured, set])).bytes <= bytes)
    .map((set) => set.join(''));
  expect(kept).toEqual(brute);
  expect(kept).toContain('ab');
  expect(kept).not.toContain('ade');
});
