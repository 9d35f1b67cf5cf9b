import type { Block } from './block.js';
import { kindOf } from './block-kinds.js';

/** The rows of a block's matrix, written out: for what is small, or must be exact at any price. */
export const matrixOf = (block: Block, size: number): number[][] => {
  const unit = new Float64Array(size * size);
  for (let cell = 0; cell < size; cell++) unit[cell * size + cell] = 1;
  const entries = kindOf(block).apply(block, size, unit, 1, size);
  return Array.from({ length: entries.length / size }, (_, row) =>
    Array.from(entries.subarray(row * size, (row + 1) * size)),
  );
};

/** The Kronecker product of two matrices, written out. */
export const kronecker = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number[][] =>
  a.flatMap((left) => b.map((right) => left.flatMap((x) => right.map((y) => x * y))));
