import { type JunctionTree, junctionTree, treeSize } from '../model/graphical/junction-tree.js';
import type { Marginal } from '../query/marginal.js';

export interface WeightedMarginal {
  readonly query: Marginal;
  readonly weight: number;
}

/**
 * The candidates that leave the junction tree within `bytes` when they are measured beside `measured`; single attributes and what
 * lies inside a clique of the present tree always do.
 */
export const affordable = (
  tree: JunctionTree,
  measured: readonly (readonly string[])[],
  candidates: readonly WeightedMarginal[],
  bytes: number,
): WeightedMarginal[] => {
  const sets = tree.cliques.map(({ attributes }) => new Set(attributes));
  const inside = (attributes: readonly string[]): boolean =>
    sets.some((set) => attributes.every((name) => set.has(name)));
  return candidates.filter(
    ({ query: { attributes } }) =>
      attributes.length === 1 ||
      inside(attributes) ||
      treeSize(junctionTree(tree.domain, [...measured, attributes])).bytes <= bytes,
  );
};
