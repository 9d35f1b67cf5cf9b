import { upperGamma } from './gamma.js';

/** P(X <= k) for a law on the integers. */
export type Cdf = (k: number) => number;

/** Discrete Laplace noise, in closed form: with q = exp(-1/scale), P(X >= k) = q^k / (1 + q) for k >= 1. */
export const laplaceCdf = (scale: number): Cdf => {
  const above = (k: number): number => Math.exp(-k / scale) / (1 + Math.exp(-1 / scale));
  return (k) => (k < 0 ? above(-k) : 1 - above(k + 1));
};

/**
 * Discrete Gaussian noise. Up to sigma 2,000 by summing the masses. Beyond, by the normal tail half a step further in: the sum
 * and the integral differ by about 1 / (24 sigma^2) relative, which no test here can see.
 */
export const gaussianCdf = (sigma: number): Cdf => {
  const reach = Math.ceil(9 * sigma) + 2;
  if (sigma > 2000) {
    const above = (k: number): number => upperGamma(0.5, (k - 0.5) ** 2 / (2 * sigma * sigma)) / 2;
    return (k) => (k < 0 ? above(-k) : 1 - above(k + 1));
  }
  const tails = new Float64Array(reach + 2);
  for (let k = reach; k >= 1; k--) tails[k] = tails[k + 1] + Math.exp((-k * k) / (2 * sigma * sigma));
  const total = 1 + 2 * tails[1];
  const above = (k: number): number => (k > reach ? 0 : tails[k] / total);
  return (k) => (k < 0 ? above(-k) : 1 - above(k + 1));
};

/** Counts draws into the cells between integer edges around 0, and gives each cell's chance under the law. */
export const binByLaw = (
  draws: Float64Array,
  cdf: Cdf,
  scale: number,
): { observed: Float64Array; chances: Float64Array } => {
  const steps = Array.from({ length: 81 }, (_, i) => Math.round(((i - 40) / 8) * Math.max(scale, 1.6)));
  const edges = [...new Set(steps)];
  const observed = new Float64Array(edges.length + 1);
  for (const draw of draws) {
    let [low, high] = [0, edges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (draw <= edges[middle]) high = middle;
      else low = middle + 1;
    }
    observed[low]++;
  }
  const chances = observed.map((_, i) => {
    const upTo = i === edges.length ? 1 : cdf(edges[i]);
    return upTo - (i === 0 ? 0 : cdf(edges[i - 1]));
  });
  return { observed, chances };
};
