import { applyBlock } from '../../query/block/apply-block.js';
import type { Block } from '../../query/block/block.js';
import { blockRows } from '../../query/block/block-rows.js';
import { transposeBlock } from '../../query/block/transpose-block.js';
import type { Factor } from '../../query/factors.js';

/**
 * The shortest w with w^T B = 1^T, one entry for each row of a block: what answers must be weighted by to give the number of
 * records (1^T Q^+ of Private-PGM, E.1). Undefined when the rows of the block do not span the all-ones vector.
 */
export const totalWeights = (block: Block, size: number): Float64Array | undefined => {
  const rows = blockRows(block, size);
  switch (block.kind) {
    case 'keep':
      return new Float64Array(size).fill(1);
    case 'sum':
      return Float64Array.of(1);
    case 'value':
      return size === 1 ? Float64Array.of(1) : undefined;
    case 'set':
      return block.cells.length === size ? Float64Array.of(1) : undefined;
    case 'prefix':
      // The matrix is invertible, and its last row is the total.
      return new Float64Array(rows).fill(1, rows - 1);
    case 'regroup': {
      const weights = new Float64Array(rows);
      for (const group of block.groups) weights[group] = 1;
      return weights;
    }
    case 'ranges':
      return leastNormWeights(block, size);
    // Cell 0 has no entry in any row.
    case 'mean':
    case 'moments':
      return undefined;
  }
};

/** w = B v with B^T B v = 1 by conjugate gradients, which stay in the row space and so find the shortest w. */
const leastNormWeights = (block: Block, size: number): Float64Array | undefined => {
  const dot = (x: Float64Array, y: Float64Array): number => x.reduce((sum, value, i) => sum + value * y[i], 0);
  const weights = new Float64Array(blockRows(block, size));
  const residual = new Float64Array(size).fill(1);
  const direction = residual.slice();
  let square = size;
  // As many steps as cells would do without rounding.
  for (let step = 0; step < 10 * size + 20 && square > 1e-24 * size; step++) {
    const ahead = applyBlock(block, size, direction, 1, 1);
    const length = square / dot(ahead, ahead);
    if (!Number.isFinite(length)) return undefined;
    ahead.forEach((value, row) => {
      weights[row] += length * value;
    });
    transposeBlock(block, size, ahead, 1, 1).forEach((value, cell) => {
      residual[cell] -= length * value;
    });
    const next = dot(residual, residual);
    direction.forEach((value, cell) => {
      direction[cell] = residual[cell] + (next / square) * value;
    });
    square = next;
  }
  const reached = transposeBlock(block, size, weights, 1, 1);
  return reached.every((value) => Math.abs(value - 1) < 1e-8) ? weights : undefined;
};

/** The same for a Kronecker product of blocks: the product of their weights, row-major in the order of the factors. */
export const queryOnesWeights = (factors: readonly Factor[]): Float64Array | undefined => {
  let weights = Float64Array.of(1);
  for (const { block, size } of factors) {
    const own = totalWeights(block, size);
    if (own === undefined) return undefined;
    const before = weights;
    weights = Float64Array.from({ length: before.length * own.length }, (_, i) => {
      const row = i % own.length;
      return before[(i - row) / own.length] * own[row];
    });
  }
  return weights;
};
