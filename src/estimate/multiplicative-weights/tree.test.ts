import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cheapTree, type SetOnTheWay, type Tree } from './tree.js';

const within = (small: readonly number[], large: readonly number[]): boolean => small.every((a) => large.includes(a));

/** The cost of keeping some of the sets: each kept or wanted one is made from the smallest other kept one that holds it. */
const costOf = (
  between: readonly SetOnTheWay[],
  wanted: readonly (readonly number[])[],
  kept: ReadonlySet<number>,
): number => {
  const sources = between.filter((_, number) => number === 0 || kept.has(number));
  const price = (attributes: readonly number[], own?: SetOnTheWay): number =>
    Math.min(
      ...sources
        .filter((one) => one !== own && within(attributes, one.attributes))
        // Sets with the same attributes must not be made from one another.
        .filter((one) => own === undefined || one.attributes.length > attributes.length)
        .map(({ size }) => size),
    );
  return (
    sources.slice(1).reduce((sum, one) => sum + price(one.attributes, one), 0) +
    wanted.reduce((sum, attributes) => sum + price(attributes), 0)
  );
};

/** A tree of sets whose sizes fall with the attributes, as numbers of tuples do. */
const problem = fc
  .record({
    attributes: fc.integer({ min: 3, max: 40 }),
    picks: fc.array(fc.uniqueArray(fc.nat(39), { minLength: 1, maxLength: 6 }), { maxLength: 6 }),
    wanted: fc.array(fc.uniqueArray(fc.nat(39), { maxLength: 3 }), { minLength: 1, maxLength: 12 }),
    weights: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 40, maxLength: 40 }),
    choices: fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
  })
  .map(({ attributes, picks, wanted, weights, choices }) => {
    const inRange = (list: readonly number[]) => [...new Set(list.map((a) => a % attributes))].sort((a, b) => a - b);
    const all = Array.from({ length: attributes }, (_, a) => a);
    const distinct = new Map(picks.map((pick) => [inRange(pick).join(), inRange(pick)]));
    distinct.delete(all.join());
    const lists = [all, ...[...distinct.values()].sort((a, b) => b.length - a.length)];
    /** Some list, among the first few, that holds another. */
    const sourceOf = (list: readonly number[], among: number, choice: number): number => {
      const possible = [...lists.slice(0, among).keys()].filter((i) => within(list, lists[i]));
      return possible[choice % possible.length];
    };
    const between = lists.map((list, i) => ({
      attributes: list,
      from: i === 0 ? undefined : sourceOf(list, i, choices[i]),
      size: list.reduce((sum, a) => sum + weights[a], 0),
    }));
    const leaves = wanted.map(inRange).map((list, i) => ({
      attributes: list,
      from: sourceOf(list, lists.length, choices[i + 7]),
    }));
    return { between, leaves, wanted: leaves.map((leaf) => leaf.attributes) };
  });

/** The cost of the tree as it is given. */
const givenCost = (between: readonly SetOnTheWay[], leaves: readonly { readonly from: number }[]): number =>
  [...between, ...leaves].reduce((sum, { from }) => sum + (from === undefined ? 0 : between[from].size), 0);

const keptIn = ({ between }: Tree): Set<number> =>
  new Set([...between.entries()].flatMap(([number, parent]) => (parent === undefined ? [] : [number])));

describe('the tree of sums', () => {
  it('makes every set from the smallest kept one that holds it, and says what that costs', () => {
    fc.assert(
      fc.property(problem, ({ between, leaves, wanted }) => {
        const tree = cheapTree(between, leaves);
        for (const [number, parent] of tree.between.entries())
          if (parent !== undefined) {
            expect(within(between[number].attributes, between[parent].attributes)).toBe(true);
            expect(between[parent].attributes.length).toBeGreaterThan(between[number].attributes.length);
            expect(parent === 0 || tree.between[parent] !== undefined).toBe(true);
          }
        tree.wanted.forEach((parent, i) => {
          expect(within(wanted[i], between[parent].attributes)).toBe(true);
          expect(parent === 0 || tree.between[parent] !== undefined).toBe(true);
        });
        expect(tree.cost).toBe(costOf(between, wanted, keptIn(tree)));
      }),
    );
  });

  it('costs no more than the given tree, than keeping no set, and than leaving out any one more', () => {
    fc.assert(
      fc.property(problem, ({ between, leaves, wanted }) => {
        const tree = cheapTree(between, leaves);
        const kept = keptIn(tree);
        expect(tree.cost).toBeLessThanOrEqual(givenCost(between, leaves));
        expect(tree.cost).toBeLessThanOrEqual(costOf(between, wanted, new Set()));
        for (const number of kept) {
          const others = new Set([...kept].filter((other) => other !== number));
          expect(costOf(between, wanted, others)).toBeGreaterThan(tree.cost);
        }
      }),
    );
  });

  it('keeps what serves several and leaves out what serves one', () => {
    const between = [
      { attributes: [0, 1, 2, 3], from: undefined, size: 100 },
      { attributes: [0, 1, 2], from: 0, size: 40 },
      { attributes: [1, 3], from: 0, size: 10 },
    ];
    const wanted = [[0, 1], [0, 2], [1, 2], [1]].map((attributes, i) => ({ attributes, from: i < 3 ? 1 : 2 }));
    expect(cheapTree(between, wanted)).toEqual({
      between: [undefined, 0, undefined],
      wanted: [1, 1, 1, 1],
      cost: 100 + 4 * 40,
    });
  });
});
