import { runningSums } from '../along-axis.js';
import type { BlockOf } from '../block.js';
import type { BlockKind } from '../block-kind.js';
import { binary, pair } from '../block-profile.js';

/** P: cumulative counts. */
export const prefix: BlockKind<BlockOf<'prefix'>> = {
  fields: {},
  check: () => {},
  rows: (_, size) => size,
  apply: (_, size, values, outer, inner) => runningSums(1, size, values, outer, inner),
  transpose: (_, size, values, outer, inner) => runningSums(-1, size, values, outer, inner),
  profile: (_, size) => {
    const all = BigInt(size);
    return binary([pair(all, all, all), pair(all, 1n, 1n), pair(1n, all, 1n)], size > 1 ? 0n : 1n);
  },
  entries: () => [0, 1],
  squares: (_, size) => Array.from({ length: size }, (_, row) => row + 1),
  // Any two rows share cell 0.
  classes: (_, size) => Array.from({ length: size }, (_, row) => new Int32Array(size).fill(-1).fill(row, 0, row + 1)),
  // The matrix is invertible, and its last row is the total.
  totalWeights: (_, size) => new Float64Array(size).fill(1, size - 1),
  words: (attribute) => `cumulative ${attribute}`,
  key: () => 'prefix',
};
