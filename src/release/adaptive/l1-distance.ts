/** The sum of absolute differences. */
export const l1Distance = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, value, cell) => sum + Math.abs(value - b[cell]), 0);
