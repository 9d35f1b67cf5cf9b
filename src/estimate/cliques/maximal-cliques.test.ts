import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maximalCliques } from './maximal-cliques.js';

/** Every subset of the vertices, the most obvious way. */
const byBruteForce = (n: number, joined: (a: number, b: number) => boolean): number[][] => {
  const isClique = (set: number): boolean => {
    for (let a = 0; a < n; a++)
      for (let b = 0; b < a; b++) if (set & (1 << a) && set & (1 << b) && !joined(a, b)) return false;
    return true;
  };
  const cliques: number[] = [];
  for (let set = 1; set < 1 << n; set++) if (isClique(set)) cliques.push(set);
  return cliques
    .filter((set) => !cliques.some((other) => other !== set && (other & set) === set))
    .map((set) => Array.from({ length: n }, (_, a) => a).filter((a) => set & (1 << a)));
};

const sorted = (sets: readonly number[][]): string[] => sets.map((set) => set.join()).sort();

describe('maximalCliques', () => {
  it('finds what brute force finds, on random graphs of up to 9 vertices', () => {
    const graph = fc.record({
      n: fc.integer({ min: 0, max: 9 }),
      edges: fc.array(fc.boolean(), { minLength: 36, maxLength: 36 }),
    });
    fc.assert(
      fc.property(graph, ({ n, edges }) => {
        const joined = (a: number, b: number): boolean =>
          edges[(Math.max(a, b) * (Math.max(a, b) - 1)) / 2 + Math.min(a, b)];
        expect(sorted(maximalCliques(n, joined))).toEqual(sorted(byBruteForce(n, joined)));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('finds all 3^n cliques of n triples whose members are strangers', () => {
    const cliques = maximalCliques(12, (a, b) => Math.floor(a / 3) !== Math.floor(b / 3));
    expect(cliques.length).toBe(81);
    expect(new Set(cliques.map(String)).size).toBe(81);
  });

  it('lists cliques and their vertices in ascending order, lone vertices included', () => {
    const edges = new Set(['0 3', '1 3', '0 1']);
    expect(maximalCliques(4, (a, b) => edges.has(`${Math.min(a, b)} ${Math.max(a, b)}`))).toEqual([[0, 1, 3], [2]]);
  });

  it('refuses a graph with too many, in good time', () => {
    // Twelve groups of three, joined to all but their own: 3^12 cliques (Moon and Moser 1965).
    expect(() => maximalCliques(36, (a, b) => Math.floor(a / 3) !== Math.floor(b / 3))).toThrow(
      'at most 20000 maximal cliques',
    );
  });
});
