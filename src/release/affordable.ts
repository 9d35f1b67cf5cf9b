import { type JunctionTree, junctionTree, treeSize } from '../model/graphical/tree/junction-tree.js';

/**
 * The candidates that leave the junction tree within `bytes` when they are measured beside `measured`; single attributes and what
 * lies inside a clique of the present tree always do. It depends on public things and earlier outputs only.
 */
export const affordable = <C>(
  tree: JunctionTree,
  measured: readonly (readonly string[])[],
  candidates: readonly C[],
  attributesOf: (candidate: C) => readonly string[],
  bytes: number,
): C[] => {
  const sets = tree.cliques.map(({ attributes }) => new Set(attributes));
  const inside = (attributes: readonly string[]): boolean =>
    sets.some((set) => attributes.every((name) => set.has(name)));
  return candidates.filter((candidate) => {
    const attributes = attributesOf(candidate);
    return (
      attributes.length === 1 ||
      inside(attributes) ||
      treeSize(junctionTree(tree.domain, [...measured, attributes])).bytes <= bytes
    );
  });
};
