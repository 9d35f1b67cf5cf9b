import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../test/support/plain-source.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import { joinedCells } from './joined-cells.js';
import { maximalParentSets } from './parent-sets.js';

const { attributes } = plainDomain([2, 5, 3, 2, 4, 9, 2]);
const keyOf = (set: readonly { readonly name: string }[]): string =>
  set
    .map(({ name }) => name)
    .sort()
    .join('');

/** By going through all subsets. */
const bruteForce = (cells: number, parents: number): string[] => {
  const fits = (set: readonly (typeof attributes)[number][]): boolean =>
    set.length === 0 || (set.length <= parents && set.reduce((product, { size }) => product * size, 1) <= cells);
  const all = Array.from({ length: 2 ** attributes.length }, (_, mask) =>
    attributes.filter((__, i) => (mask >> i) & 1),
  );
  return all
    .filter((set) => fits(set) && !attributes.some((one) => !set.includes(one) && fits([...set, one])))
    .map(keyOf)
    .sort();
};

describe('maximalParentSets', () => {
  it('are all sets within the limits that none could join', () => {
    for (const cells of [0.5, 1, 2, 5, 12, 40, 1e6])
      for (const parents of [1, 2, 3, 7]) {
        const found = maximalParentSets(attributes, { cells, parents, sets: 1000 }, seeded(1));
        expect(found.map(keyOf).sort()).toEqual(bruteForce(cells, parents));
      }
  });

  it('are some of them, none twice, where there are too many, also too many to go through', () => {
    const all = bruteForce(40, 3);
    const some = maximalParentSets(attributes, { cells: 40, parents: 3, sets: 5 }, seeded(1)).map(keyOf);
    expect(new Set(some).size).toBe(5);
    expect(some.every((key) => all.includes(key))).toBe(true);
    const many = plainDomain(
      Array.from({ length: 60 }, () => 2),
      Array.from({ length: 60 }, (_, i) => `x${i}`),
    );
    const drawn = maximalParentSets(many.attributes, { cells: 64, parents: 9, sets: 50 }, seeded(2));
    expect(new Set(drawn.map(keyOf)).size).toBe(50);
    expect(drawn.every((set) => set.length === 6)).toBe(true);
  });
});

describe('joinedCells', () => {
  it('is the size of the tree where a clique holds them already, and else what carrying the missing ones along costs', () => {
    const domain = plainDomain([2, 3, 4, 2, 5]);
    const tree = junctionTree(domain, [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
    ]);
    const joined = joinedCells(tree);
    const now = 6 + 12 + 8 + 5;
    expect(treeSize(tree).cells).toBe(now);
    expect(joined(['b', 'c'])).toBe(now);
    expect(joined(['d'])).toBe(now);
    // d is carried through b x c to a x b, or a through b x c to c x d.
    expect([now + 12 + 6, now + 12 + 8]).toContain(joined(['a', 'd']));
    // e stands alone, in a clique that c joins: no way leads there.
    expect(joined(['c', 'e'])).toBe(now - 5 + 4 * 5);
  });

  it('is about what a new triangulation finds, which the limit on a model rests on', () => {
    const random = seeded(3);
    const domain = plainDomain([2, 3, 4, 2, 5, 3, 2, 4]);
    const names = domain.attributes.map(({ name }) => name);
    const pick = (count: number): string[] => [
      ...new Set(Array.from({ length: count }, () => names[uniformInteger(random, names.length)])),
    ];
    for (let round = 0; round < 60; round++) {
      const tree = junctionTree(
        domain,
        Array.from({ length: uniformInteger(random, 6) }, () => pick(2)),
      );
      const clique = pick(3);
      const cells = joinedCells(tree)(clique);
      const again = junctionTree(domain, [...tree.cliques.map(({ attributes: own }) => own), clique]);
      expect(cells).toBeGreaterThanOrEqual(treeSize(tree).cells);
      expect(cells).toBeGreaterThanOrEqual(treeSize(again).cells / 1.5);
      expect(cells).toBeLessThanOrEqual(treeSize(again).cells * 5);
    }
  });
});
