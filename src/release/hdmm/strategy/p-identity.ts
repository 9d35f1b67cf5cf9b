import { type Differentiable, minimise } from '../../../estimate/lbfgs/minimise.js';
import { cholesky, solveInPlace } from '../../../estimate/linear/cholesky.js';
import type { Random } from '../../../random/random.js';
import { uniform } from '../../../random/uniform.js';
import type { Gram } from './gram.js';

/** In which norm the columns of a strategy are held to 1: L1 for Laplace noise, L2 for Gaussian noise. */
export type Norm = 'l1' | 'l2';

/** Theta, row-major: `rows` lists of one entry for each cell. */
export interface PIdentity {
  readonly theta: Float64Array;
  readonly rows: number;
  /** trace((A^T A)^-1 W^T W): the squared error of all answers for strategy answers of variance 1. */
  readonly error: number;
}

/**
 * trace((A^T A)^-1 W^T W) of the p-Identity strategy A = [I; Theta] D (HDMM, Definition 9), where D scales every column to norm 1, and
 * its derivative in Theta. With s = 1/D, V' = S W^T W S, M = I + Theta Theta^T and Y = M^-1 Theta V' (Woodbury; no matrix of
 * cells x cells but the workload's own):
 *
 *     C = trace V' - <Theta, Y>,     dC/dTheta = -2 (Y - (Y Theta^T) M^-1 Theta) + 2 h ds/dTheta,
 *     h_i = (V'_ii - sum_k Theta_ki Y_ki) / s_i,
 *     ds_i/dTheta_ki = 1 (L1) or Theta_ki / s_i (L2).
 */
export const strategyError = (gram: Gram, rows: number, norm: Norm): Differentiable => {
  const { size, diagonal } = gram;
  const norms = new Float64Array(size);
  return (theta, gradient) => {
    norms.fill(1);
    for (let k = 0; k < rows; k++)
      for (let i = 0; i < size; i++) norms[i] += norm === 'l1' ? theta[k * size + i] : theta[k * size + i] ** 2;
    if (norm === 'l2') for (let i = 0; i < size; i++) norms[i] = Math.sqrt(norms[i]);
    const factor = cholesky(onePlusSquare(theta, rows, size), rows);
    if (factor === undefined) return Infinity;
    const solved = theta.slice();
    solveInPlace(factor, solved, size);
    const scaled = solved.map((value, at) => value * norms[at % size]);
    const y = gram.times(scaled);
    for (let at = 0; at < y.length; at++) y[at] *= norms[at % size];
    const shared = new Float64Array(size);
    for (let at = 0; at < y.length; at++) shared[at % size] += theta[at] * y[at];
    let value = 0;
    for (let i = 0; i < size; i++) value += diagonal[i] * norms[i] ** 2 - shared[i];
    // (Y Theta^T) M^-1 Theta.
    const cross = new Float64Array(rows * rows);
    for (let k = 0; k < rows; k++)
      for (let l = 0; l < rows; l++) {
        cross[k * rows + l] = dotAt(y, k * size, theta, l * size, size);
      }
    for (let k = 0; k < rows; k++) {
      const at = k * size;
      for (let i = 0; i < size; i++) gradient[at + i] = -2 * y[at + i];
      for (let l = 0; l < rows; l++) {
        const times = 2 * cross[k * rows + l];
        for (let i = 0; i < size; i++) gradient[at + i] += times * solved[l * size + i];
      }
      for (let i = 0; i < size; i++) {
        const h = (diagonal[i] * norms[i] ** 2 - shared[i]) / norms[i];
        gradient[at + i] += 2 * h * (norm === 'l1' ? 1 : theta[at + i] / norms[i]);
      }
    }
    return value;
  };
};

/** In four sums, so that one addition need not wait for the last. */
const dotAt = (a: Float64Array, from: number, b: Float64Array, at: number, length: number): number => {
  let [s, t, u, v] = [0, 0, 0, 0];
  let i = 0;
  for (; i + 3 < length; i += 4) {
    s += a[from + i] * b[at + i];
    t += a[from + i + 1] * b[at + i + 1];
    u += a[from + i + 2] * b[at + i + 2];
    v += a[from + i + 3] * b[at + i + 3];
  }
  for (; i < length; i++) s += a[from + i] * b[at + i];
  return s + t + u + v;
};

/** I + Theta Theta^T. */
const onePlusSquare = (theta: Float64Array, rows: number, size: number): Float64Array => {
  const matrix = new Float64Array(rows * rows);
  for (let k = 0; k < rows; k++)
    for (let l = 0; l <= k; l++) {
      const sum = (k === l ? 1 : 0) + dotAt(theta, k * size, theta, l * size, size);
      matrix[k * rows + l] = sum;
      matrix[l * rows + k] = sum;
    }
  return matrix;
};

/** The objective in x, where Theta = x^2: no entry of Theta may be negative, and every x may be any number. */
const inSquares = (objective: Differentiable): Differentiable => {
  let theta = new Float64Array();
  return (x, gradient) => {
    if (theta.length !== x.length) theta = new Float64Array(x.length);
    for (let i = 0; i < x.length; i++) theta[i] = x[i] ** 2;
    const value = objective(theta, gradient);
    for (let i = 0; i < x.length; i++) gradient[i] *= 2 * x[i];
    return value;
  };
};

export interface PIdentityOptions {
  readonly random: Random;
  /** p; `defaultRows` by default. */
  readonly rows?: number | undefined;
  readonly restarts?: number | undefined;
  readonly iterations?: number | undefined;
}

/**
 * p: size/16, at least 1, as HDMM has it; more gain nothing for the L1 norm. For the L2 norm they do (on 100 cells of prefixes 19%), as
 * long as that is not too slow.
 */
const defaultRows = (size: number, norm: Norm): number =>
  Math.max(1, Math.round(size / (norm === 'l1' || size > 256 ? 16 : size > 128 ? 8 : 4)));

/** OPT_0 of HDMM (section 5.2): the best of several descents by L-BFGS from random starts. */
export const optimisePIdentity = (
  gram: Gram,
  norm: Norm,
  { random, rows = defaultRows(gram.size, norm), restarts = 3, iterations = 500 }: PIdentityOptions,
): PIdentity => {
  const objective = inSquares(strategyError(gram, rows, norm));
  let best: PIdentity | undefined;
  for (let restart = 0; restart < restarts; restart++) {
    const start = Float64Array.from({ length: rows * gram.size }, () => Math.sqrt(uniform(random)));
    const { point, value } = minimise(objective, start, { iterations });
    if (best === undefined || value < best.error) best = { theta: point.map((x) => x ** 2), rows, error: value };
  }
  return best!;
};
