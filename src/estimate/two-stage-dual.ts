/** Sparse 0/1 matrix by support row: row j is counted by answers `answers[starts[j]]` to `answers[starts[j + 1] - 1]`. */
export interface Counting {
  readonly rows: number;
  readonly starts: Uint32Array;
  readonly answers: Uint32Array;
}

/** What the distribution's answer must be: equal to the target, at most it (-1), or at least it (1). */
export interface Constraints {
  readonly target: Float64Array;
  readonly sense: Int8Array;
}

export interface LeastDivergence {
  /** One for each row, with sum 1. */
  readonly weights: Float64Array;
  /** Sum over constraints of how far they are missed (and, where a bound has a multiplier, not attained). */
  readonly residual: number;
  readonly steps: number;
}

/** Constraints this near to zero mean that their rows get nothing: no finite multiplier says so. */
const nothing = 1e-13;

/**
 * The distribution of least KL divergence from `prior` under linear constraints (IDE, equation 2, with inequalities where the
 * first stage leaves a choice): minimises the dual log sum_j p_j exp((W^T l)_j) - l.y over multipliers l (signs fixed by the
 * senses) by projected Newton steps with a line search, q from equation 3. A target on the boundary drives l to infinity, so
 * it stops on the primal residual. Cost of a step: answers^3/3 + the squares of the rows' answer counts.
 */
export const leastDivergence = (
  prior: Float64Array,
  counting: Counting,
  { target, sense }: Constraints,
  { tolerance = 1e-10, steps = 300 }: { readonly tolerance?: number; readonly steps?: number } = {},
): LeastDivergence => {
  const { starts, answers, rows } = counting;
  const size = target.length;
  const base = prior.slice();
  for (let j = 0; j < rows; j++)
    for (let k = starts[j]; k < starts[j + 1]; k++)
      if (sense[answers[k]] <= 0 && target[answers[k]] <= nothing) base[j] = 0;
  const settled = Uint8Array.from(target, (value, i) => (sense[i] <= 0 && value <= nothing ? 1 : 0));

  const evaluate = (multipliers: Float64Array) => {
    const weights = new Float64Array(rows);
    let top = -Infinity;
    for (let j = 0; j < rows; j++) {
      if (base[j] === 0) continue;
      let exponent = Math.log(base[j]);
      for (let k = starts[j]; k < starts[j + 1]; k++) exponent += multipliers[answers[k]];
      weights[j] = exponent;
      top = Math.max(top, exponent);
    }
    let mass = 0;
    for (let j = 0; j < rows; j++) {
      weights[j] = base[j] === 0 ? 0 : Math.exp(weights[j] - top);
      mass += weights[j];
    }
    const gradient = new Float64Array(size);
    for (let j = 0; j < rows; j++) {
      weights[j] /= mass;
      for (let k = starts[j]; k < starts[j + 1]; k++) gradient[answers[k]] += weights[j];
    }
    let value = top + Math.log(mass);
    for (let i = 0; i < size; i++) {
      value -= multipliers[i] * target[i];
      gradient[i] -= target[i];
    }
    /** Multipliers that may move: not those held at zero by their sign. */
    const free: number[] = [];
    let residual = 0;
    for (let i = 0; i < size; i++) {
      if (settled[i] || (sense[i] !== 0 && multipliers[i] === 0 && gradient[i] * sense[i] >= 0)) continue;
      free.push(i);
      residual += Math.abs(gradient[i]);
    }
    return { multipliers, weights, gradient, value, free, residual };
  };

  let now = evaluate(new Float64Array(size));
  let step = 0;
  for (; step < steps && now.residual > tolerance; step++) {
    const direction = newton(counting, now.weights, now.gradient, target, now.free, size);
    let next = now;
    for (let length = 1; length > 1e-9; length /= 2) {
      const moved = now.multipliers.map((value, i) => {
        const to = value + length * direction[i];
        return sense[i] * to < 0 ? 0 : to;
      });
      let slope = 0;
      for (let i = 0; i < size; i++) slope += now.gradient[i] * (moved[i] - now.multipliers[i]);
      const attempt = evaluate(moved);
      // Near the end the values agree to rounding, and the residual decides.
      const lower = attempt.value <= now.value + 1e-4 * slope;
      const level = attempt.value <= now.value + 1e-13 * (1 + Math.abs(now.value)) && attempt.residual < now.residual;
      if (lower || level) {
        next = attempt;
        break;
      }
    }
    if (next === now) break;
    now = next;
  }
  return { weights: now.weights, residual: now.residual, steps: step };
};

/** -H^-1 g on the free multipliers; H is the covariance of the answers, with a ridge because marginals repeat each other. */
const newton = (
  { starts, answers, rows }: Counting,
  weights: Float64Array,
  gradient: Float64Array,
  target: Float64Array,
  free: readonly number[],
  size: number,
): Float64Array => {
  const n = free.length;
  const place = new Int32Array(size).fill(-1);
  free.forEach((i, at) => {
    place[i] = at;
  });
  const hessian = new Float64Array(n * n);
  for (let j = 0; j < rows; j++) {
    if (weights[j] === 0) continue;
    for (let k = starts[j]; k < starts[j + 1]; k++) {
      const a = place[answers[k]];
      if (a < 0) continue;
      for (let l = starts[j]; l < starts[j + 1]; l++) {
        const b = place[answers[l]];
        if (b >= 0 && b <= a) hessian[a * n + b] += weights[j];
      }
    }
  }
  let largest = 0;
  for (let a = 0; a < n; a++) {
    const mean = gradient[free[a]] + target[free[a]];
    for (let b = 0; b <= a; b++) hessian[a * n + b] -= mean * (gradient[free[b]] + target[free[b]]);
    largest = Math.max(largest, hessian[a * n + a]);
  }
  const right = Float64Array.from(free, (i) => -gradient[i]);
  for (let ridge = 1e-13 * largest + 1e-300; ; ridge *= 100) {
    const solution = cholesky(hessian, right, ridge);
    if (solution === undefined) continue;
    const direction = new Float64Array(size);
    free.forEach((i, at) => {
      direction[i] = solution[at];
    });
    return direction;
  }
};

/** Solves (A + ridge I) x = b for the symmetric A given by its lower triangle; undefined when it is not positive definite. */
const cholesky = (a: Float64Array, b: Float64Array, ridge: number): Float64Array | undefined => {
  const n = b.length;
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j] + (i === j ? ridge : 0);
      for (let k = 0; k < j; k++) sum -= factor[i * n + k] * factor[j * n + k];
      if (i !== j) factor[i * n + j] = sum / factor[j * n + j];
      else if (sum > ridge / 2) factor[i * n + i] = Math.sqrt(sum);
      else return undefined;
    }
  const x = b.slice();
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= factor[i * n + k] * x[k];
    x[i] /= factor[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= factor[k * n + i] * x[k];
    x[i] /= factor[i * n + i];
  }
  return x;
};
