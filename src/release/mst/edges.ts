import { cellsOf, type Domain } from '../../domain/domain.js';
import { combinations } from '../../query/workload/combinations.js';
import { seeded } from '../../random/seeded.js';
import { shuffle } from '../../random/shuffle.js';

/** Two attributes by name. */
export type Edge = readonly [string, string];

/** All pairs of attributes of bounded size, each attribute of more than one cell: who has one cell only depends on nothing. */
export const possibleEdges = (domain: Domain, maxCells: number): Edge[] => {
  const names = domain.attributes.filter(({ size }) => size > 1).map(({ name }) => name);
  return [...combinations(names.length, 2)]
    .map(([a, b]): Edge => [names[a], names[b]])
    .filter((edge) => cellsOf(domain, edge) <= maxCells);
};

/** A forest that grows by edges (Kruskal): which of them would join two of its trees. */
export interface Forest {
  joins(edge: Edge): boolean;
  add(edge: Edge): void;
}

export const emptyForest = (): Forest => {
  const parents = new Map<string, string>();
  const rootOf = (name: string): string => {
    let root = name;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    return root;
  };
  return {
    joins: ([a, b]) => rootOf(a) !== rootOf(b),
    add: ([a, b]) => {
      parents.set(rootOf(a), rootOf(b));
    },
  };
};

/** Edges of every forest that no further edge joins: how many choices there will be. */
export const forestEdges = (edges: readonly Edge[]): number => {
  const forest = emptyForest();
  let count = 0;
  for (const edge of edges)
    if (forest.joins(edge)) {
      forest.add(edge);
      count++;
    }
  return count;
};

/** Those that a choice looks at: all, or as many as it may, by the number of the choice alone, so that a release that goes on looks at the same. */
export const lookedAt = (edges: readonly Edge[], choice: number, most: number): readonly Edge[] =>
  edges.length <= most ? edges : shuffle(edges, seeded(choice)).slice(0, most);
