import { determiners } from '../../domain/constraints/determiners.js';
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

/** A forest of these edges; of none, unless told. */
export const forestOf = (joined: readonly Edge[] = []): Forest => {
  const parents = new Map<string, string>();
  const rootOf = (name: string): string => {
    let root = name;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    return root;
  };
  const joins = ([a, b]: Edge): boolean => rootOf(a) !== rootOf(b);
  const add = (edge: Edge): void => {
    if (joins(edge)) parents.set(rootOf(edge[0]), rootOf(edge[1]));
  };
  joined.forEach(add);
  return { joins, add };
};

/** Columns that determine others are joined with them before anything is chosen: what they have in common is known. */
export const knownEdges = (domain: Domain): Edge[] =>
  determiners(domain).map(({ child, parent }): Edge => [parent, child]);

/** Edges that can join a forest of known ones until none is left that does: how many choices there will be. */
export const forestEdges = (edges: readonly Edge[], known: readonly Edge[] = []): number => {
  const forest = forestOf(known);
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
