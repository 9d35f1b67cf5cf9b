import type { Domain } from '../../domain/domain.js';
import { zeroFactors } from '../../estimate/graphical/zeros.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import { seeded } from '../../random/seeded.js';
import { shuffle } from '../../random/shuffle.js';

/** After so many sets in a row that have no room, no more are tried. */
const mostMisses = 20;

/**
 * Sets of attributes that a model of so many bytes would hold, beside others, if so many were taken by chance: which ones tell something is private, and what there is room for is not. Any seed
 * would do.
 */
export const foreseenTree = (
  domain: Domain,
  sets: readonly (readonly string[])[],
  count: number,
  bytes: number,
  beside: readonly (readonly string[])[] = [],
): (readonly string[])[] => {
  const forbidden = zeroFactors(domain).map(({ attributes }) => attributes);
  const held: (readonly string[])[] = [];
  let misses = 0;
  for (const set of shuffle([...sets], seeded(1))) {
    if (held.length >= count || misses > mostMisses) break;
    const fits = treeSize(junctionTree(domain, [...forbidden, ...beside, ...held, set])).bytes <= bytes;
    if (fits) held.push(set);
    misses = fits ? 0 : misses + 1;
  }
  return held;
};
