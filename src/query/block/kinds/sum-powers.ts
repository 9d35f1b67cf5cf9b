import { byEntries } from '../along-axis.js';
import type { BlockKind } from '../block-kind.js';
import { type BlockProfile, pair } from '../block-profile.js';

/** What all blocks have in common whose rows are the powers of the cell numbers 0, 1, ..., from the first on. */
export const sumPowers = <B extends { readonly kind: string }>(
  countOf: (block: B) => number,
): Pick<
  BlockKind<B>,
  'rows' | 'apply' | 'transpose' | 'profile' | 'entries' | 'squares' | 'classes' | 'totalWeights'
> => ({
  rows: countOf,
  ...byEntries<B>(countOf, (block, size) => {
    const count = countOf(block);
    const [rows, cells, factors]: number[][] = [[], [], []];
    // Cell 0 has no entry: skipping it also keeps 0 * Infinity out when counts are beyond all reason.
    for (let cell = 1; cell < size; cell++) {
      let power = 1;
      for (let row = 0; row < count; row++) {
        power *= cell;
        rows.push(row);
        cells.push(cell);
        factors.push(power);
      }
    }
    return { rows, cells, factors };
  }),
  profile: (block, size) =>
    rising(Array.from({ length: countOf(block) }, (_, row) => BigInt(size - 1) ** BigInt(row + 1))),
  entries: (block, size) => [0, (size - 1) ** countOf(block)],
  squares: (block, size) =>
    Array.from({ length: countOf(block) }, (_, row) => {
      let sum = 0;
      for (let cell = 1; cell < size; cell++) sum += cell ** (2 * (row + 1));
      return sum;
    }),
  classes: () => undefined,
  // Cell 0 has no entry in any row.
  totalWeights: () => undefined,
});

/** The columns rise from zero to the one of the last cell, so the farthest pairs are made of those two. */
const rising = (entries: readonly bigint[]): BlockProfile => {
  const extremes = (norm: bigint) => [pair(norm, norm, norm), pair(norm, 0n, 0n), pair(0n, norm, 0n)];
  const l1 = entries.reduce((sum, entry) => sum + entry, 0n);
  const l2Squared = entries.reduce((sum, entry) => sum + entry * entry, 0n);
  return {
    l1,
    l2Squared,
    spans: [{ low: 0n, high: entries[entries.length - 1] }],
    pairsL1: extremes(l1),
    pairsL2: extremes(l2Squared),
    exact: true,
    // In each of these pairs the columns are equal, or one is zero.
    multiplies: true,
  };
};
