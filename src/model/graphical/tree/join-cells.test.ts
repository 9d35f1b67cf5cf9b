import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../domain/domain.js';
import { domainOf } from '../../../domain/domain-of.js';
import { joinCells } from './join-cells.js';
import { type JunctionTree, junctionTree, treeSize } from './junction-tree.js';

const graphs = fc
  .integer({ min: 2, max: 14 })
  .chain((n) =>
    fc.tuple(
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: n, maxLength: n }),
      fc.array(fc.uniqueArray(fc.integer({ min: 0, max: n - 1 }), { maxLength: 3 }), { maxLength: 12 }),
    ),
  )
  .map(([sizes, cliques]) => {
    const domain = domainOf(sizes.map((size, i) => ({ name: `a${i}`, type: 'integer' as const, min: 1, max: size })));
    return junctionTree(
      domain,
      cliques.map((list) => list.map((i) => `a${i}`)),
    );
  });

const union = (...lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

/** The cliques that carry a to b, by walking from each clique of a up and down the tree: the plain way. */
const carried = ({ cliques }: JunctionTree, a: string, b: string): string[][] | undefined => {
  const near = (index: number) =>
    cliques.flatMap(({ parent, separator }, other) => {
      if (parent === index) return [{ to: other, separator }];
      return other === index && parent >= 0 ? [{ to: parent, separator }] : [];
    });
  const walk = (index: number, from: number, entry: readonly string[], made: string[][]): string[][] | undefined => {
    if (cliques[index].attributes.includes(b)) return [...made, union([a, b], entry)];
    for (const { to, separator } of near(index))
      if (to !== from) {
        const found = walk(to, index, separator, [...made, union([a], entry, separator)]);
        if (found) return found;
      }
    return undefined;
  };
  for (const [index, { attributes }] of cliques.entries())
    if (attributes.includes(a))
      for (const { to, separator } of near(index))
        if (!cliques[to].attributes.includes(a)) {
          const found = walk(to, index, separator, []);
          if (found) return found;
        }
  return undefined;
};

describe('joinCells', () => {
  it('is what the cliques on the way take, and these make a tree in which both attributes share a clique', () => {
    fc.assert(
      fc.property(graphs, fc.nat(), fc.nat(), (tree, i, j) => {
        const { domain, cliques, order } = tree;
        const [a, b] = [order[i % order.length], order[j % order.length]];
        const old = cliques.map(({ attributes }) => attributes);
        const needed = joinCells(tree)(a, b);
        if (old.some((clique) => clique.includes(a) && clique.includes(b))) {
          expect(needed).toBe(0);
          return;
        }
        const ways = [carried(tree, a, b) ?? [[a, b]], carried(tree, b, a) ?? [[a, b]]];
        const cells = ways.map((way) => way.reduce((sum, clique) => sum + cellsOf(domain, clique), 0));
        expect(needed).toBe(Math.min(...cells));
        // The graph of old and new cliques needs no further edge: its tree, which is then the best, has these cliques at most.
        for (const [k, way] of ways.entries()) {
          const joined = junctionTree(domain, [...old, ...way]);
          expect(joined.cliques.some(({ attributes }) => attributes.includes(a) && attributes.includes(b))).toBe(true);
          expect(treeSize(joined).cells).toBeLessThanOrEqual(treeSize(tree).cells + cells[k]);
          for (const { attributes } of joined.cliques)
            expect([...old, ...way].some((clique) => attributes.every((name) => clique.includes(name)))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
