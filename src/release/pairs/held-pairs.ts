import type { Domain } from '../../domain/domain.js';
import type { Turns } from '../../domain/turns.js';
import { zeroFactors } from '../../estimate/graphical/zeros.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import { forestOf } from './forest.js';

/** After so many pairs in a row that have no room, no more are tried. */
const mostMisses = 60;

/**
 * Of pairs in descending order, those that a model of so many bytes holds: first a spanning forest (Chow and Liu 1968), whose tables are the
 * pairs themselves, then others as long as the junction tree has room for them. In turns: every pair that is tried takes a tree.
 */
export function* heldPairs(
  domain: Domain,
  ranked: readonly (readonly string[])[],
  bytes: number,
): Turns<(readonly string[])[]> {
  const forbidden = zeroFactors(domain).map(({ attributes }) => attributes);
  const fits = (pairs: readonly (readonly string[])[]): boolean =>
    treeSize(junctionTree(domain, [...forbidden, ...pairs])).bytes <= bytes;
  if (fits(ranked)) return [...ranked];
  const held = yield* forestOf(ranked, fits);
  const isHeld = new Set(held);
  let misses = 0;
  for (const pair of ranked) {
    if (isHeld.has(pair)) continue;
    const hasRoom = fits([...held, pair]);
    if (hasRoom) held.push(pair);
    misses = hasRoom ? 0 : misses + 1;
    if (misses > mostMisses) break;
    yield;
  }
  return held;
}
