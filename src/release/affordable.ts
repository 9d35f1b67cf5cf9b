import { joinCells } from '../model/graphical/tree/join-cells.js';
import { type JunctionTree, junctionTree, treeSize } from '../model/graphical/tree/junction-tree.js';

/** Trees that are worked out for one answer at most, in attributes squared: about a second's work; never fewer than ... */
const mostWork = 2e7;
/** ... so many. */
const fewestTrees = 200;

/**
 * The candidates that leave the junction tree within `bytes` when they are measured beside `measured`; single attributes and what
 * lies inside a clique of the present tree always do. Of a pair it is enough that the present tree has room for it (`joinCells`); only where that is
 * too much is the best tree worked out, and where those are too many, for the pairs that need least room and for what has fewest
 * attributes. It depends on public things and earlier outputs only.
 */
export const affordable = <C>(
  tree: JunctionTree,
  measured: readonly (readonly string[])[],
  candidates: readonly C[],
  attributesOf: (candidate: C) => readonly string[],
  bytes: number,
): C[] => {
  const sets = tree.cliques.map(({ attributes }) => new Set(attributes));
  const present = treeSize(tree).bytes;
  const roomFor = joinCells(tree);
  const inside = (attributes: readonly string[]): boolean =>
    sets.some((set) => attributes.every((name) => set.has(name)));
  /** Bytes that are enough; undefined where that takes a tree to say. */
  const enough = (attributes: readonly string[]): number | undefined => {
    if (attributes.length < 2) return 0;
    if (attributes.length > 2) return inside(attributes) ? 0 : undefined;
    const room = roomFor(attributes[0], attributes[1]);
    return room === 0 ? 0 : present + 8 * room;
  };
  const looked = candidates.map((candidate) => {
    const attributes = attributesOf(candidate);
    return { candidate, attributes, enough: enough(attributes) ?? Number.POSITIVE_INFINITY };
  });
  const most = Math.max(fewestTrees, Math.floor(mostWork / tree.order.length ** 2));
  const doubtful = looked
    .filter((each) => each.enough > bytes && each.enough > 0)
    .sort((a, b) => a.attributes.length - b.attributes.length || a.enough - b.enough)
    .slice(0, most)
    .filter(({ attributes }) => treeSize(junctionTree(tree.domain, [...measured, attributes])).bytes <= bytes);
  const fitting = new Set(doubtful);
  return looked
    .filter((each) => each.enough === 0 || each.enough <= bytes || fitting.has(each))
    .map(({ candidate }) => candidate);
};
