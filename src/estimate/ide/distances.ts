/** Sum of |x - y| over all elements of both lists of arrays. */
export const l1 = (x: readonly Float64Array[], y: readonly Float64Array[]): number => {
  let sum = 0;
  x.forEach((values, s) => {
    for (let i = 0; i < values.length; i++) sum += Math.abs(values[i] - y[s][i]);
  });
  return sum;
};

/** KL(q || p) in natural logarithms (equation 1): infinite where q has mass and p has none, never below 0. */
export const divergence = (q: Float64Array, p: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < q.length; i++) if (q[i] > 0) sum += q[i] * Math.log(q[i] / p[i]);
  return Math.max(0, sum);
};
