import { type JunctionTree, junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import type { Marginal } from '../../query/marginal.js';

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

/**
 * The candidates that could have the best score: w_r (distance - offset_r), where the distance of two tables of about `total`
 * records lies between 0 and 2 total. A marginal of many cells costs more noise than it can be wrong by, until the noise has been
 * halved a few times; such ones need not be looked at. It depends on public things and earlier outputs only.
 */
export const promising = (
  candidates: readonly WeightedMarginal[],
  offsetOf: (query: Marginal) => number,
  total: number,
): WeightedMarginal[] => {
  const least = Math.max(...candidates.map(({ query, weight }) => -weight * offsetOf(query)));
  return candidates.filter(({ query, weight }) => weight * (2 * total - offsetOf(query)) >= least);
};
