/** Products of a matrix and of its transpose with a vector. */
export interface Products {
  readonly apply: (cells: Float64Array) => Float64Array;
  readonly transpose: (rows: Float64Array) => Float64Array;
}

const dot = (x: Float64Array, y: Float64Array): number => x.reduce((sum, value, i) => sum + value * y[i], 0);

/**
 * The shortest w with w^T B = 1^T, or undefined when there is none: w = B v with B^T B v = 1 by conjugate gradients, which stay in the
 * row space and so find the shortest w.
 */
export const leastNormWeights = (
  { apply, transpose }: Products,
  rows: number,
  size: number,
): Float64Array | undefined => {
  const weights = new Float64Array(rows);
  const residual = new Float64Array(size).fill(1);
  const direction = residual.slice();
  let square = size;
  // As many steps as cells would do without rounding.
  for (let step = 0; step < 10 * size + 20 && square > 1e-24 * size; step++) {
    const ahead = apply(direction);
    const length = square / dot(ahead, ahead);
    if (!Number.isFinite(length)) return undefined;
    ahead.forEach((value, row) => {
      weights[row] += length * value;
    });
    transpose(ahead).forEach((value, cell) => {
      residual[cell] -= length * value;
    });
    const next = dot(residual, residual);
    direction.forEach((value, cell) => {
      direction[cell] = residual[cell] + (next / square) * value;
    });
    square = next;
  }
  return transpose(weights).every((value) => Math.abs(value - 1) < 1e-8) ? weights : undefined;
};
