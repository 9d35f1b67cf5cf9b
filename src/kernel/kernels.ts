/**
 * The kernels: hot loops over one WebAssembly memory. Addresses are byte offsets of any alignment, lengths count
 * elements, counts and codes are unsigned. Nothing is allocated and nothing is checked: callers own the memory that
 * they name. A job describes one marginal over code columns, see `writeJob`.
 */
export interface Kernels {
  /** Overwrites `bytes` bytes with zero. */
  clear(address: number, bytes: number): void;
  /**
   * Adds rows from <= row < to of `jobs` jobs, one after another in memory, to their tables of u32. Uses 16 KiB at
   * `scratch`. About 0.8 ns for each row and job on one core.
   */
  count(job: number, jobs: number, from: number, to: number, scratch: number): void;
  /** Overwrites `target` with the cells (u32) of rows from <= row < to in the marginal of a job. */
  cellIndex(job: number, from: number, to: number, target: number): void;
  /** Overwrites the u32 table [outer][inner] at `target` with the sums over the middle axis of [outer][size][inner]. */
  sumAxis(table: number, target: number, outer: number, size: number, inner: number): void;

  /** table[index[i]] += weights[i]: f64 table and weights, u32 index; adds in the order of rows. */
  scatterAdd(index: number, weights: number, table: number, rows: number): void;
  /** weights[i] *= ratio[index[i]]. */
  gatherScale(index: number, ratio: number, weights: number, rows: number): void;
  /** target[i] += factor * table[index[i]]. */
  gatherAdd(index: number, table: number, factor: number, target: number, rows: number): void;
  /** Sum of x[index[i]]; the error is below length * 2^-53 times the sum of |x[index[i]]|. */
  sumAt(index: number, x: number, length: number): number;
  /** x[index[i]] *= factor, one after the other. */
  scaleAt(index: number, factor: number, x: number, length: number): void;
  /** Makes the targets of `steps` projection steps anew, see `writeStep`. About a nanosecond for each row of a step. */
  project(step: number, steps: number): void;
  /** Adds the changes of the sources instead: about three nanoseconds for each changed entry. */
  follow(step: number, steps: number): void;

  /** target[i] = exp(x[i]), relative error below 1e-15; a subnormal result is within 2^-1074 of the true one. */
  exp(x: number, target: number, length: number): void;
  /** target[i] = log(x[i]), relative error below 1e-15; -Infinity at 0, NaN below. */
  log(x: number, target: number, length: number): void;

  /** Sum of x; the error is below 40 * 2^-53 times the sum of |x|. */
  sum(x: number, length: number): number;
  /** Sum of x[i] * y[i]; the error is below 40 * 2^-53 times the sum of |x[i] y[i]|. */
  dot(x: number, y: number, length: number): number;
  /** Largest element, NaN if there is one; -Infinity when empty. */
  max(x: number, length: number): number;
  /** Sum of |x[i] - y[i]|; relative error below 40 * 2^-53. */
  distance(x: number, y: number, length: number): number;
  /** Largest |x[i] - y[i]|, NaN if there is one; 0 when empty. */
  maxDistance(x: number, y: number, length: number): number;

  /** x[i] *= factor. */
  scale(x: number, factor: number, length: number): void;
  /** y[i] += factor * x[i]. */
  axpy(factor: number, x: number, y: number, length: number): void;
  /** target[i] = x[i] * y[i]. */
  multiply(x: number, y: number, target: number, length: number): void;
}

export type KernelName = keyof Kernels;

/** One call of a kernel as plain data, which a worker can receive. */
export type KernelCall = readonly [name: KernelName, ...args: number[]];

/** Bytes that `count` needs at `scratch`. */
export const countScratch = 16 * 1024;
