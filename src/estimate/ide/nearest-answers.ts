/**
 * The distribution over cells that is nearest in L1 to noisy proportions and, of all those, least in Kullback-Leibler
 * divergence from the present proportions: lines 7 and 9 of IDE's Algorithm 1 with the ties broken as its objective (4)
 * asks. `held` is positive for cells that some row of the support falls in; others get nothing. With `covers` the cells
 * take all the mass there is, otherwise at most 1 together.
 *
 * Let u be the noisy proportions cut at zero. If they exceed 1 together, every L1-nearest answer lies between 0 and u, and
 * the one nearest `current` is min(u, c current); if they fall short, it lies above u and is max(u, c current); c makes the
 * sum 1. Returns a new array. Cost: a few passes over the cells, without sorting.
 */
export const nearestAnswers = (
  noisy: ArrayLike<number>,
  current: ArrayLike<number>,
  held: ArrayLike<number>,
  covers: boolean,
): Float64Array => {
  const answers = new Float64Array(noisy.length);
  let sum = 0;
  /** The part of the sum that cells with weight can take. */
  let reach = 0;
  let mass = 0;
  for (let i = 0; i < answers.length; i++) {
    if (!(held[i] > 0)) continue;
    mass += current[i];
    if (!(noisy[i] > 0)) continue;
    answers[i] = noisy[i];
    sum += noisy[i];
    if (current[i] > 0) reach += noisy[i];
  }
  if (sum === 1 || (sum < 1 && !covers)) return answers;
  if (sum < 1) return raise(answers, current, held, mass);
  if (reach > 1) return lower(answers, current, mass);
  // Cells without weight must take something, and Definition 3.1 (second case) then spreads it; share it as measured.
  const share = sum > reach ? (1 - reach) / (sum - reach) : 0;
  for (let i = 0; i < answers.length; i++) if (!(current[i] > 0)) answers[i] *= share;
  return answers;
};

/** Relative change of c below which Newton's method has arrived. */
const arrived = 1e-15;

/**
 * min(u, c current) with sum 1, in place. The sum is concave in c and piecewise linear, so Newton's method from the left
 * never passes the root and ends on the root's own piece after finitely many steps (about five).
 */
const lower = (u: Float64Array, current: ArrayLike<number>, mass: number): Float64Array => {
  let c = 1 / mass;
  for (;;) {
    let value = 0;
    let slope = 0;
    for (let i = 0; i < u.length; i++) {
      const scaled = c * current[i];
      if (scaled < u[i]) {
        value += scaled;
        slope += current[i];
      } else value += u[i];
    }
    const next = c + (1 - value) / slope;
    if (!(next > c * (1 + arrived) && next < Infinity)) break;
    c = next;
  }
  for (let i = 0; i < u.length; i++) u[i] = Math.min(u[i], c * current[i]);
  return u;
};

/** max(u, c current) with sum 1 over held cells, in place: convex in c, so Newton's method comes from the right. */
const raise = (u: Float64Array, current: ArrayLike<number>, held: ArrayLike<number>, mass: number): Float64Array => {
  let c = 1 / mass;
  for (;;) {
    let value = 0;
    let slope = 0;
    for (let i = 0; i < u.length; i++) {
      const scaled = held[i] > 0 ? c * current[i] : 0;
      if (scaled > u[i]) {
        value += scaled;
        slope += current[i];
      } else value += u[i];
    }
    const next = c - (value - 1) / slope;
    if (!(next < c * (1 - arrived) && next > 0)) break;
    c = next;
  }
  for (let i = 0; i < u.length; i++) if (held[i] > 0) u[i] = Math.max(u[i], c * current[i]);
  return u;
};
