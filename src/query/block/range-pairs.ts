import { type ColumnPair, unbeaten } from './column-pair.js';

/** All pairs of up to this many different columns are looked at; of more, neighbouring columns share one bound. */
const maxGroups = 256;

/**
 * The pairs of columns of a `ranges` block that no other pair beats, in O(ranges + groups^2 log groups). Cells between two
 * neighbouring ends of ranges have the same column: they form a segment. Up to `maxGroups` segments every pair is exact; beyond,
 * adjacent segments are grouped, and a pair of groups stands for all pairs of their columns by a bound: the larger norms,
 * and the ranges that hold both groups whole, which any two of their columns share.
 */
export const rangePairs = (
  ranges: readonly (readonly [number, number])[],
  size: number,
): { pairs: ColumnPair[]; exact: boolean } => {
  const starts = new Set([0]);
  for (const [low, high] of ranges) starts.add(low).add(high + 1);
  starts.delete(size);
  const segmentOf = new Map([...starts].sort((a, b) => a - b).map((cell, segment) => [cell, segment]));
  const segments = starts.size;
  const groups = Math.min(segments, maxGroups);
  const firstOf = (group: number) => Math.floor((group * segments) / groups);
  // For each segment the first group that starts there or behind, and the last group that ends there or before.
  const from = new Int32Array(segments).fill(groups);
  const to = new Int32Array(segments).fill(-1);
  for (let group = groups - 1, segment = segments - 1; segment >= 0; segment--) {
    while (group >= 0 && firstOf(group) >= segment) group--;
    from[segment] = group + 1;
  }
  for (let group = 0, segment = 0; segment < segments; segment++) {
    while (group < groups && firstOf(group + 1) - 1 <= segment) group++;
    to[segment] = group - 1;
  }
  const change = new Float64Array(segments + 1);
  // held[x, y]: how many ranges hold the groups x <= y whole, that is, start before x and end behind y.
  const held = new Float64Array((groups + 1) * (groups + 1));
  const at = (x: number, y: number) => (x + 1) * (groups + 1) + y;
  for (const [low, high] of ranges) {
    const first = segmentOf.get(low)!;
    const last = (segmentOf.get(high + 1) ?? segments) - 1;
    change[first]++;
    change[last + 1]--;
    if (from[first] < groups && to[last] >= 0) held[at(from[first], to[last])]++;
  }
  for (let x = 0; x < groups; x++)
    for (let y = groups - 1; y >= 0; y--)
      held[at(x, y)] += held[at(x - 1, y)] + held[at(x, y + 1)] - held[at(x - 1, y + 1)];
  const norms = new Float64Array(groups);
  for (let group = 0, segment = 0, norm = 0; segment < segments; segment++) {
    norm += change[segment];
    if (segment === firstOf(group + 1)) group++;
    norms[group] = Math.max(norms[group], norm);
  }
  const pairs: ColumnPair[] = [];
  for (let x = 0; x < groups; x++)
    for (let y = x; y < groups; y++) {
      const [u, v, both] = [norms[x], norms[y], held[at(x, y)]].map(BigInt);
      pairs.push({ u, v, both }, { u: v, v: u, both });
    }
  return { pairs: unbeaten(pairs), exact: groups === segments };
};
