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
  /** Sum over constraints of how far they are missed. */
  readonly residual: number;
  readonly steps: number;
}

/** Constraints this near to zero mean that their rows get nothing: no finite multiplier says so. */
const nothing = 1e-13;
/** The barrier's weight: first, last, and from one to the next. */
const barriers = { first: 1e-2, last: 1e-14, fall: 0.01 };

interface Point {
  readonly multipliers: Float64Array;
  readonly weights: Float64Array;
  /** W q, and how far it is from the targets. */
  readonly answers: Float64Array;
  readonly gradient: Float64Array;
  readonly value: number;
  /** L1 norm of the gradient. */
  readonly slope: number;
}

/** What is minimised: the dual, as a function of the multipliers of the constraints. */
interface Dual {
  readonly counting: Counting;
  readonly constraints: Constraints;
  /** The prior, without rows that may get nothing. */
  readonly base: Float64Array;
  /** Constraints that have a multiplier, and those of them that are inequalities. */
  readonly free: readonly number[];
  readonly bounded: readonly number[];
}

/**
 * The distribution of least KL divergence from `prior` under linear constraints (IDE, equation 2, with inequalities where the
 * first stage leaves a choice): minimises the dual log sum_j p_j exp((W^T l)_j) - l.y over multipliers l by Newton steps with a
 * line search, q from equation 3. The sign that an inequality's multiplier must have is kept by a logarithmic barrier, whose
 * weight falls to nothing. A target on the boundary drives l to infinity, so it stops on the primal residual. Cost of a step:
 * answers^3/3 + the squares of the rows' answer counts.
 */
export const leastDivergence = (
  prior: Float64Array,
  counting: Counting,
  { target, sense }: Constraints,
  {
    tolerance = 1e-10,
    steps = 300,
  }: { readonly tolerance?: number | undefined; readonly steps?: number | undefined } = {},
): LeastDivergence => {
  const dual = dualOf(prior, counting, { target, sense });
  let taken = 0;
  let multipliers = new Float64Array(target.length);
  for (const i of dual.bounded) multipliers[i] = sense[i];
  let barrier = dual.bounded.length > 0 ? barriers.first : 0;
  for (;;) {
    let now = evaluate(dual, multipliers, barrier);
    const enough = Math.max(tolerance, barrier);
    while (now.slope > enough && taken < steps) {
      taken++;
      const next = advance(dual, now, barrier);
      if (next === undefined) break;
      const [fall, before] = [now.value - next.value, now.slope];
      now = next;
      // Where the first stage leaves no room between two bounds, multipliers grow for ever and rounding ends all progress.
      if (fall < 1e-12 * (1 + Math.abs(now.value)) && now.slope > 0.9 * before) break;
    }
    if (barrier <= barriers.last || taken >= steps)
      return { weights: now.weights, residual: residualOf(dual, now), steps: taken };
    multipliers = now.multipliers.slice();
    barrier *= barriers.fall;
  }
};

const dualOf = (prior: Float64Array, counting: Counting, constraints: Constraints): Dual => {
  const { starts, answers, rows } = counting;
  const { target, sense } = constraints;
  const base = prior.slice();
  for (let j = 0; j < rows; j++)
    for (let k = starts[j]; k < starts[j + 1]; k++)
      if (sense[answers[k]] <= 0 && target[answers[k]] <= nothing) base[j] = 0;
  // A bound of zero from below holds by itself.
  const free = Array.from(target.keys()).filter((i) => target[i] > nothing);
  return { counting, constraints, base, free, bounded: free.filter((i) => sense[i] !== 0) };
};

/** Sum over constraints of how far they are missed. */
const residualOf = ({ constraints: { target, sense } }: Dual, { answers }: Point): number => {
  let residual = 0;
  for (let i = 0; i < target.length; i++) {
    const excess = answers[i] - target[i];
    residual += sense[i] === 0 ? Math.abs(excess) : Math.max(0, -sense[i] * excess);
  }
  return residual;
};

/** Weights in proportion to base exp(W^T multipliers), with sum 1, and the logarithm of what they were divided by. */
const weigh = ({ counting, base }: Dual, multipliers: Float64Array): { weights: Float64Array; logMass: number } => {
  const { starts, answers, rows } = counting;
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
  for (let j = 0; j < rows; j++) weights[j] /= mass;
  return { weights, logMass: top + Math.log(mass) };
};

const evaluate = (dual: Dual, multipliers: Float64Array, barrier: number): Point => {
  const { starts, answers: answersOf, rows } = dual.counting;
  const { target, sense } = dual.constraints;
  const { weights, logMass } = weigh(dual, multipliers);
  const answers = new Float64Array(target.length);
  for (let j = 0; j < rows; j++) for (let k = starts[j]; k < starts[j + 1]; k++) answers[answersOf[k]] += weights[j];
  const gradient = new Float64Array(target.length);
  let value = logMass;
  let slope = 0;
  for (const i of dual.free) {
    value -= multipliers[i] * target[i];
    gradient[i] = answers[i] - target[i];
    if (sense[i] !== 0) {
      value -= barrier * Math.log(sense[i] * multipliers[i]);
      gradient[i] -= barrier / multipliers[i];
    }
    slope += Math.abs(gradient[i]);
  }
  return { multipliers, weights, answers, gradient, value, slope };
};

/** One Newton step, or undefined when none leads lower. */
const advance = (dual: Dual, now: Point, barrier: number): Point | undefined => {
  const { target, sense } = dual.constraints;
  // The barrier's own curvature is barrier/l^2; where the slack is larger, slack/l is what it will be at the end of the step
  // (as primal-dual methods have it), and saves the many steps in which a multiplier would fall to its smaller place.
  const direction = newton(dual.counting, now, dual.free, (i) => {
    if (sense[i] === 0) return 0;
    const multiplier = sense[i] * now.multipliers[i];
    return Math.max(barrier / multiplier, sense[i] * (now.answers[i] - target[i])) / multiplier;
  });
  let longest = 1;
  for (const i of dual.bounded)
    if (sense[i] * direction[i] < 0) longest = Math.min(longest, (-0.99 * now.multipliers[i]) / direction[i]);
  let descent = 0;
  for (const i of dual.free) descent += now.gradient[i] * direction[i];
  for (let length = longest; length > 1e-9; length /= 2) {
    const moved = now.multipliers.map((value, i) => value + length * direction[i]);
    const next = evaluate(dual, moved, barrier);
    // Near the end the values agree to rounding, and the gradient decides.
    const level = next.value <= now.value + 1e-13 * (1 + Math.abs(now.value)) && next.slope < now.slope;
    if (next.value <= now.value + 1e-4 * length * descent || level) return next;
  }
  return undefined;
};

/**
 * -H^-1 g on the free multipliers. H is the covariance of the answers, plus the barrier's curvature, plus a ridge because
 * marginals repeat each other.
 */
const newton = (
  { starts, answers, rows }: Counting,
  { weights, gradient, answers: means }: Point,
  free: readonly number[],
  curvature: (i: number) => number,
): Float64Array => {
  const n = free.length;
  const size = gradient.length;
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
    for (let b = 0; b <= a; b++) hessian[a * n + b] -= means[free[a]] * means[free[b]];
    hessian[a * n + a] += curvature(free[a]);
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
