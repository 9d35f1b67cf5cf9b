import { byEntries, upTo } from '../along-axis.js';
import type { BlockKind } from '../block-kind.js';
import { binary, constant, pair } from '../block-profile.js';

/** Every column is a unit vector, and there are two: equal columns are never farther apart than those. */
const units = binary([pair(1n, 1n, 0n)], 0n);

/** What all blocks have in common that count each cell in one of their rows. */
export const groupCells = <B extends { readonly kind: string }>(
  rows: (block: B, size: number) => number,
  groupsOf: (block: B, size: number) => readonly number[],
): Pick<
  BlockKind<B>,
  'rows' | 'apply' | 'transpose' | 'profile' | 'entries' | 'squares' | 'classes' | 'totalWeights'
> => ({
  rows,
  ...byEntries<B>(rows, (block, size) => ({ rows: groupsOf(block, size), cells: upTo(size) })),
  profile: (block, size) => (new Set(groupsOf(block, size)).size > 1 ? units : constant),
  entries: () => [0, 1],
  squares: (block, size) => {
    const counts = new Array<number>(rows(block, size)).fill(0);
    for (const group of groupsOf(block, size)) counts[group]++;
    return counts;
  },
  classes: (block, size) => [Int32Array.from(groupsOf(block, size))],
  totalWeights: (block, size) => {
    const weights = new Float64Array(rows(block, size));
    for (const group of groupsOf(block, size)) weights[group] = 1;
    return weights;
  },
});
