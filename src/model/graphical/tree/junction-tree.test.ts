import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Domain } from '../../../domain/domain.js';
import { domainOf } from '../../../domain/domain-of.js';
import { type JunctionTree, junctionTree, treeSize } from './junction-tree.js';

const domainWith = (sizes: readonly number[]): Domain =>
  domainOf(sizes.map((size, i) => ({ name: `a${i}`, type: 'integer' as const, min: 1, max: size })));

/** Random sizes and cliques over them; up to 40 attributes, so that sets need more than one word. */
const graphs = fc
  .integer({ min: 1, max: 40 })
  .chain((n) =>
    fc.tuple(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: n, maxLength: n }),
      fc.array(fc.uniqueArray(fc.integer({ min: 0, max: n - 1 }), { maxLength: 4 }), { maxLength: 30 }),
    ),
  )
  .map(([sizes, cliques]) => ({ domain: domainWith(sizes), cliques: cliques.map((list) => list.map((i) => `a${i}`)) }));

const holds = (big: readonly string[], small: readonly string[]): boolean => small.every((name) => big.includes(name));

const ancestors = (tree: JunctionTree, index: number): number[] =>
  index < 0 ? [] : [index, ...ancestors(tree, tree.cliques[index].parent)];

/** Cliques on the path between two, or undefined when they lie in different components. */
const path = (tree: JunctionTree, from: number, to: number): number[] | undefined => {
  const up = ancestors(tree, from);
  const down = ancestors(tree, to);
  const meet = up.find((index) => down.includes(index));
  return meet === undefined ? undefined : [...up.slice(0, up.indexOf(meet)), ...down.slice(0, down.indexOf(meet) + 1)];
};

describe('junctionTree', () => {
  it('covers every given clique and every attribute', () => {
    fc.assert(
      fc.property(graphs, ({ domain, cliques }) => {
        const tree = junctionTree(domain, cliques);
        for (const clique of [...cliques, ...domain.attributes.map(({ name }) => [name])])
          expect(tree.cliques.some(({ attributes }) => holds(attributes, clique))).toBe(true);
      }),
    );
  });

  it('has maximal cliques only, with the cells of their attributes, parents first, everything in one order', () => {
    fc.assert(
      fc.property(graphs, ({ domain, cliques }) => {
        const tree = junctionTree(domain, cliques);
        const size = (name: string): number => domain.attributes.find((each) => each.name === name)!.size;
        const sorted = (list: readonly string[]) => tree.order.filter((name) => list.includes(name));
        expect([...tree.order].sort()).toEqual(domain.attributes.map(({ name }) => name).sort());
        for (let i = 1; i < tree.order.length; i++)
          expect(size(tree.order[i])).toBeGreaterThanOrEqual(size(tree.order[i - 1]));
        tree.cliques.forEach((clique, index) => {
          tree.cliques.forEach((other, j) => {
            if (index !== j) expect(holds(other.attributes, clique.attributes)).toBe(false);
          });
          expect(clique.attributes).toEqual(sorted(clique.attributes));
          expect(clique.cells).toBe(clique.attributes.reduce((cells, name) => cells * size(name), 1));
          expect(clique.parent).toBeLessThan(index);
          const parent = clique.parent < 0 ? [] : tree.cliques[clique.parent].attributes;
          expect(clique.separator).toEqual(clique.attributes.filter((name) => parent.includes(name)));
        });
      }),
    );
  });

  it('has the running intersection property: what two cliques share lies in every clique between them', () => {
    fc.assert(
      fc.property(graphs, ({ domain, cliques }) => {
        const tree = junctionTree(domain, cliques);
        tree.cliques.forEach((a, i) => {
          tree.cliques.slice(i + 1).forEach((b, j) => {
            const shared = a.attributes.filter((name) => b.attributes.includes(name));
            const between = path(tree, i, i + 1 + j);
            if (shared.length > 0) expect(between).toBeDefined();
            for (const index of between ?? []) expect(holds(tree.cliques[index].attributes, shared)).toBe(true);
          });
        });
      }),
    );
  });

  it('leaves a graph that needs no edge as it is', () => {
    const domain = domainWith([2, 3, 4, 5, 6]);
    const chain = [0, 1, 2].map((i) => [`a${i}`, `a${i + 1}`, `a${i + 2}`]);
    expect(
      junctionTree(domain, chain)
        .cliques.map(({ attributes }) => attributes.join(''))
        .sort(),
    ).toEqual(chain.map((names) => names.join('')));
  });

  it('cuts a ring where fewer cells arise', () => {
    // A ring of four is cut by one of two diagonals: through the attribute of size 2 the triangles are small.
    const domain = domainWith([2, 50, 2, 50]);
    const ring = [0, 1, 2, 3].map((i) => [`a${i}`, `a${(i + 1) % 4}`]);
    expect(treeSize(junctionTree(domain, ring)).cells).toBe(2 * (2 * 2 * 50));
  });

  it('gives a domain without attributes one clique of one cell', () => {
    const tree = junctionTree(domainOf([]), [[]]);
    expect(tree.cliques).toEqual([{ attributes: [], cells: 1, parent: -1, separator: [] }]);
  });

  it('refuses an attribute that the domain does not have', () => {
    expect(() => junctionTree(domainWith([2, 2]), [['a0', 'b']])).toThrow(
      'clique: attributes must be of the domain (a0, a1), got "b"',
    );
  });
});

describe('treeSize', () => {
  it('adds cells up and names the largest clique, beyond 2^53 too', () => {
    const domain = domainWith([10, 20, 30, 40]);
    const size = treeSize(junctionTree(domain, [['a0', 'a1'], ['a2', 'a3'], ['a1']]));
    expect(size.cells).toBe(200 + 1200);
    expect(size.bytes).toBe(8 * 1400);
    expect(size.largest.attributes).toEqual(['a2', 'a3']);
    const wide = domainWith(Array.from({ length: 30 }, () => 100));
    expect(treeSize(junctionTree(wide, [wide.attributes.map(({ name }) => name)])).cells).toBeCloseTo(1e60, -50);
  });
});
