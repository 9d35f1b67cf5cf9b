/** A symmetric positive definite matrix as L L^T, row-major. */
export interface Cholesky {
  readonly size: number;
  readonly lower: Float64Array;
}

/** Undefined where a pivot is lost to rounding: the matrix is not positive definite, as far as doubles tell. */
export const cholesky = (matrix: Float64Array, size: number): Cholesky | undefined => {
  const lower = new Float64Array(size * size);
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j];
      for (let k = 0; k < j; k++) sum -= lower[i * size + k] * lower[j * size + k];
      if (i !== j) lower[i * size + j] = sum / lower[j * size + j];
      else if (sum > 1e-12 * matrix[i * size + i]) lower[i * size + i] = Math.sqrt(sum);
      else return undefined;
    }
  return { size, lower };
};

/** Solves L L^T X = B in place, for B of size x columns, row-major. */
export const solveInPlace = ({ size, lower }: Cholesky, values: Float64Array, columns: number): void => {
  for (let i = 0; i < size; i++) {
    const row = i * columns;
    for (let k = 0; k < i; k++) {
      const factor = lower[i * size + k];
      if (factor !== 0) for (let c = 0; c < columns; c++) values[row + c] -= factor * values[k * columns + c];
    }
    for (let c = 0; c < columns; c++) values[row + c] /= lower[i * size + i];
  }
  for (let i = size - 1; i >= 0; i--) {
    const row = i * columns;
    for (let k = i + 1; k < size; k++) {
      const factor = lower[k * size + i];
      if (factor !== 0) for (let c = 0; c < columns; c++) values[row + c] -= factor * values[k * columns + c];
    }
    for (let c = 0; c < columns; c++) values[row + c] /= lower[i * size + i];
  }
};
