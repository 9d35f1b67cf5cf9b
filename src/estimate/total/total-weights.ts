import { kindOf } from '../../query/block/block-kinds.js';
import type { Factor } from '../../query/factors.js';

/**
 * What the answers of a Kronecker product of blocks must be weighted by to give the number of records (1^T Q^+ of Private-PGM, E.1): the
 * product of the blocks' weights, row-major in the order of the factors. Undefined when the answers do not tell that number.
 */
export const queryOnesWeights = (factors: readonly Factor[]): Float64Array | undefined => {
  let weights = Float64Array.of(1);
  for (const { block, size } of factors) {
    const own = kindOf(block).totalWeights(block, size);
    if (own === undefined) return undefined;
    const before = weights;
    weights = Float64Array.from({ length: before.length * own.length }, (_, i) => {
      const row = i % own.length;
      return before[(i - row) / own.length] * own[row];
    });
  }
  return weights;
};
