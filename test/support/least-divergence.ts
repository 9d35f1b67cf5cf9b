import { solve } from './solve.js';

/**
 * A generic convex solver: min sum q log(q/p) subject to A q = b, rows of A independent, by Newton's method on the optimality
 * conditions from an infeasible start, with steps short enough to keep q positive. Knows nothing of workloads.
 */
export const leastDivergenceByNewton = (
  p: readonly number[],
  a: readonly (readonly number[])[],
  b: readonly number[],
) => {
  const [n, m] = [p.length, a.length];
  let q = [...p];
  for (let step = 0; step < 200; step++) {
    const matrix = Array.from({ length: n + m }, (_, i) =>
      Array.from({ length: n + m }, (_, j) => {
        if (i < n && j < n) return i === j ? 1 / q[i] : 0;
        if (i < n) return a[j - n][i];
        return j < n ? a[i - n][j] : 0;
      }),
    );
    const right = [
      ...q.map((value, i) => -(Math.log(value / p[i]) + 1)),
      ...b.map((value, i) => value - a[i].reduce((sum, entry, j) => sum + entry * q[j], 0)),
    ];
    const direction = solve(matrix, right).slice(0, n);
    let length = 1;
    direction.forEach((d, i) => {
      if (d < 0) length = Math.min(length, (-0.95 * q[i]) / d);
    });
    q = q.map((value, i) => value + length * direction[i]);
    if (Math.max(...direction.map(Math.abs)) < 1e-14) break;
  }
  return q;
};
