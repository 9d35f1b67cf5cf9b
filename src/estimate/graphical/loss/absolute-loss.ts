import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import { linearMap } from '../../../query/linear-map.js';
import type { Target } from '../targets.js';
import type { MarginalLoss } from './loss.js';

/** Corners are first rounded over this many scales of the noise, ... */
const roundest = 1;
/** ... each time over a quarter of that, ... */
const sharper = 4;
/** ... down to this, which changes the loss of an answer by at most as many scales. */
const sharpest = 1e-3;

/**
 * Sum over answers of |total * expected proportion - measured| / scale of its noise: the negative log-likelihood of Laplace noise
 * (Private-PGM, C.1 and C.2). It has corners, where descent gets stuck; so descent sees sqrt(r^2 + h^2) - h instead of |r|,
 * and `sharpen` lessens h.
 */
export const absoluteLoss = (oracle: MarginalOracle, targets: readonly Target[], total: number): MarginalLoss => {
  const { domain } = oracle.tree;
  const answers = targets.reduce((sum, { values }) => sum + values.length, 0);
  const maps = targets.map(({ query }) => query && linearMap(query, domain));
  const reached = new Set(targets.map(({ clique }) => clique));
  let rounding = roundest;
  let value = 0;
  let chi = 0;
  return {
    answers,
    total,
    /** At the roundest; later steps are found shorter by trying. */
    unit: 1 / targets.reduce((sum, { scale, reach }) => sum + (total ** 2 * reach) / (roundest * scale ** 2), 0),
    evaluate(marginals, gradient) {
      const slopes = gradient.view;
      for (const clique of reached) {
        const { offset, cells } = oracle.factors[clique];
        slopes.fill(0, offset, offset + cells);
      }
      let smoothed = 0;
      value = 0;
      chi = 0;
      for (const [t, { clique, values, scale, variance }] of targets.entries()) {
        const { offset, cells } = oracle.factors[clique];
        const proportions = marginals.view.subarray(offset, offset + cells);
        const shares = maps[t]?.apply(proportions) ?? proportions;
        const slope = new Float64Array(values.length);
        for (let i = 0; i < values.length; i++) {
          const residual = total * shares[i] - values[i];
          const r = residual / scale;
          const length = Math.sqrt(r * r + rounding * rounding);
          value += Math.abs(r);
          smoothed += length - rounding;
          chi += (residual * residual) / variance;
          slope[i] = ((total / scale) * r) / length;
        }
        const back = maps[t]?.transpose(slope) ?? slope;
        for (let cell = 0; cell < cells; cell++) slopes[offset + cell] += back[cell];
      }
      return smoothed;
    },
    get value() {
      return value;
    },
    get chi() {
      return chi;
    },
    sharpen() {
      if (rounding <= sharpest) return false;
      rounding = Math.max(sharpest, rounding / sharper);
      return true;
    },
  };
};
