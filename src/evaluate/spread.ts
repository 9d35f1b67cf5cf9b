/** Mean and standard deviation over runs. */
export interface Spread {
  readonly mean: number;
  readonly deviation: number;
  readonly runs: number;
}

/** The spread of at least one value; the deviation is that of a sample (n - 1), 0 for a single value. */
export const spreadOf = (values: readonly number[]): Spread => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)), runs: values.length };
};
