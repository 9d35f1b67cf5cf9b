import type { Domain } from '../../domain/domain.js';
import { zeroFactors } from '../../estimate/graphical/zeros.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';

/** After so many pairs in a row that have no room, no more are tried. */
const mostMisses = 60;

/**
 * Of pairs in descending order, those that a model of so many bytes holds: first a spanning forest (Chow and Liu 1968), whose tables are the
 * pairs themselves, then others as long as the junction tree has room for them.
 */
export const heldPairs = (
  domain: Domain,
  ranked: readonly (readonly string[])[],
  bytes: number,
): (readonly string[])[] => {
  const forbidden = zeroFactors(domain).map(({ attributes }) => attributes);
  const fits = (pairs: readonly (readonly string[])[]): boolean =>
    treeSize(junctionTree(domain, [...forbidden, ...pairs])).bytes <= bytes;
  if (fits(ranked)) return [...ranked];
  const parents = new Map<string, string>();
  const rootOf = (name: string): string => {
    const parent = parents.get(name);
    return parent === undefined ? name : rootOf(parent);
  };
  const held: (readonly string[])[] = [];
  const others: (readonly string[])[] = [];
  for (const pair of ranked) {
    const [a, b] = pair.map(rootOf);
    if (a !== b && fits([...held, pair])) {
      parents.set(a, b);
      held.push(pair);
    } else others.push(pair);
  }
  let misses = 0;
  for (const pair of others) {
    const isHeld = fits([...held, pair]);
    if (isHeld) held.push(pair);
    misses = isHeld ? 0 : misses + 1;
    if (misses > mostMisses) break;
  }
  return held;
};
