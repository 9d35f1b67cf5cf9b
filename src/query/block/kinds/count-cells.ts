import { byEntries } from '../along-axis.js';
import type { BlockKind } from '../block-kind.js';
import { binary, constant, pair } from '../block-profile.js';

/** One row with ones and zeros. */
const indicator = binary([pair(1n, 1n, 1n), pair(1n, 0n, 0n), pair(0n, 1n, 0n)], 0n);

/** What all blocks have in common whose matrix is one row of zeros and ones: the number of rows in some cells. */
export const countCells = <B extends { readonly kind: string }>(
  cellsOf: (block: B, size: number) => readonly number[],
): Pick<
  BlockKind<B>,
  'rows' | 'apply' | 'transpose' | 'profile' | 'entries' | 'squares' | 'classes' | 'totalWeights'
> => ({
  rows: () => 1,
  ...byEntries<B>(
    () => 1,
    (block, size) => {
      const cells = cellsOf(block, size);
      return { rows: new Array<number>(cells.length).fill(0), cells };
    },
  ),
  profile: (block, size) => (cellsOf(block, size).length < size ? indicator : constant),
  entries: () => [0, 1],
  squares: (block, size) => [cellsOf(block, size).length],
  classes: (block, size) => {
    const rowOf = new Int32Array(size).fill(-1);
    for (const cell of cellsOf(block, size)) rowOf[cell] = 0;
    return [rowOf];
  },
  totalWeights: (block, size) => (cellsOf(block, size).length === size ? Float64Array.of(1) : undefined),
});

/** Whether a number is one of `size` cells. */
export const isCell = (cell: number, size: number): boolean => Number.isInteger(cell) && cell >= 0 && cell < size;
