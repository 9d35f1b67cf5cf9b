import { kindOf } from '../../query/block/block-kinds.js';
import type { Factor } from '../../query/factors.js';
import { type Cholesky, cholesky, solveInPlace } from '../linear/cholesky.js';
import { squareOf } from '../linear/square-of.js';

/** Cells of one axis whose normal equations are solved by elimination. */
const mostCells = 4096;

/**
 * Least squares for a Kronecker product, one axis after the other: A^+ y = (A^T A)^-1 A^T y along each. Undefined where a factor does
 * not tell every cell of its axis. No product is written out; an axis of n cells costs n^2 for each of the others' cells.
 */
export const leastSquares = (factors: readonly Factor[]): ((answers: Float64Array) => Float64Array) | undefined => {
  const squares = factors.map(({ block, size }): Cholesky | undefined | 'none' => {
    if (block.kind === 'keep') return 'none';
    return size > mostCells ? undefined : cholesky(squareOf(block, size), size);
  });
  if (squares.includes(undefined)) return undefined;
  return (answers) => {
    let result: Float64Array = answers.slice();
    let [outer, inner] = [1, answers.length];
    factors.forEach(({ block, size, rows }, axis) => {
      inner /= rows;
      const square = squares[axis];
      if (square !== 'none') {
        result = kindOf(block).transpose(block, size, result, outer, inner);
        const length = size * inner;
        for (let o = 0; o < outer; o++) solveInPlace(square!, result.subarray(o * length, (o + 1) * length), inner);
      }
      outer *= size;
    });
    return result;
  };
};
