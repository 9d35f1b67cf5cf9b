import { indexOf } from '../../../domain/domain.js';
import type { JunctionTree } from './junction-tree.js';

/** A junction tree by numbers: attributes are their positions in the domain, and it has no root. */
export interface CliqueGraph {
  /** Cells of each attribute. */
  readonly sizes: readonly number[];
  /** Attributes of each clique, in the tree's order. */
  readonly cliques: readonly (readonly number[])[];
  /** The same as sets. */
  readonly members: readonly ReadonlySet<number>[];
  readonly cells: readonly number[];
  /** For each clique its neighbours. Parts of a forest are joined by an empty separator to the first root. */
  readonly neighbours: readonly (readonly { readonly clique: number; readonly separator: readonly number[] }[])[];
  /** For each attribute the cliques that hold it, fewest cells first. */
  readonly homes: readonly (readonly number[])[];
  /** For each attribute the connected part of the graph that it is in: those of different parts are independent. */
  readonly parts: readonly number[];
  /** Which neighbour of a clique (its place in `neighbours`) leads to an attribute that the clique does not hold; -1 if it does. */
  toward(clique: number, attribute: number): number;
  /** Those of some attributes that a clique does not hold, by the neighbour that leads to them. */
  beyond(clique: number, attributes: readonly number[]): Map<number, number[]>;
}

export const cliqueGraph = (tree: JunctionTree): CliqueGraph => {
  const { domain } = tree;
  const numbers = (names: readonly string[]): number[] => names.map((name) => indexOf(domain, name));
  const cliques = tree.cliques.map(({ attributes }) => numbers(attributes));
  const neighbours = cliques.map((): { clique: number; separator: number[] }[] => []);
  tree.cliques.forEach(({ parent, separator }, clique) => {
    const up = parent < 0 ? 0 : parent;
    if (clique === up) return;
    const shared = numbers(separator);
    neighbours[clique].push({ clique: up, separator: shared });
    neighbours[up].push({ clique, separator: shared });
  });
  const members = cliques.map((attributes) => new Set(attributes));
  const parts = domain.attributes.map(() => 0);
  // Parents come before children, and roots start parts.
  const partOf: number[] = [];
  for (const [clique, { parent, separator }] of tree.cliques.entries()) {
    partOf[clique] = parent < 0 || separator.length === 0 ? clique : partOf[parent];
    for (const attribute of cliques[clique]) parts[attribute] = partOf[clique];
  }
  const cells = tree.cliques.map((clique) => clique.cells);
  const homes = domain.attributes.map((): number[] => []);
  cliques.forEach((attributes, clique) => {
    for (const attribute of attributes) homes[attribute].push(clique);
  });
  for (const list of homes) list.sort((a, b) => cells[a] - cells[b]);

  const ways: (Int32Array | undefined)[] = cliques.map(() => undefined);
  /** One search through the tree for each clique that is ever asked. */
  const waysFrom = (start: number): Int32Array => {
    const way = new Int32Array(domain.attributes.length).fill(-1);
    neighbours[start].forEach(({ clique: first }, place) => {
      const open = [{ clique: first, from: start }];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        for (const attribute of cliques[next.clique]) if (!members[start].has(attribute)) way[attribute] = place;
        for (const { clique } of neighbours[next.clique])
          if (clique !== next.from) open.push({ clique, from: next.clique });
      }
    });
    return way;
  };
  const toward = (clique: number, attribute: number): number => {
    ways[clique] ??= waysFrom(clique);
    return ways[clique][attribute];
  };
  return {
    sizes: domain.attributes.map(({ size }) => size),
    cliques,
    members,
    cells,
    neighbours,
    homes,
    parts,
    toward,
    beyond: (clique, attributes) => {
      const lists = new Map<number, number[]>();
      for (const attribute of attributes) {
        if (members[clique].has(attribute)) continue;
        const way = toward(clique, attribute);
        const list = lists.get(way);
        if (list === undefined) lists.set(way, [attribute]);
        else list.push(attribute);
      }
      return lists;
    },
  };
};
