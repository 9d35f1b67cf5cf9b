import { binomialLowerTail, binomialUpperTail } from '../statistics/binomial.js';

const bisect = (low: number, high: number, above: (x: number) => boolean): number => {
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (above(middle)) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
};

/** Clopper-Pearson: the chance behind k successes in n trials is below the result with probability at most `error`. */
export const lowerBound = (k: number, n: number, error: number): number =>
  k === 0 ? 0 : bisect(0, k / n, (p) => p > 0 && binomialUpperTail(k, n, p) > error);

/** Clopper-Pearson: the chance behind k successes in n trials is above the result with probability at most `error`. */
export const upperBound = (k: number, n: number, error: number): number =>
  k === n ? 1 : bisect(k / n, 1, (p) => p >= 1 || binomialLowerTail(k, n, p) < error);

/** The standard normal quantile, by bisection on its distribution function. */
export const normalQuantile = (p: number): number => bisect(-40, 40, (x) => normalBelow(x) > p);

/** Phi(x) by its continued fraction in the tail and its series in the middle. */
export const normalBelow = (x: number): number => {
  if (x < -3) return normalDensity(x) / millsFraction(-x);
  if (x > 3) return 1 - normalBelow(-x);
  let term = x;
  let sum = x;
  for (let k = 1; Math.abs(term) > 1e-18; k++) {
    term *= (x * x) / (2 * k + 1);
    sum += term;
  }
  return 0.5 + normalDensity(x) * sum;
};

const normalDensity = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** x + 1/(x + 2/(x + 3/(x + ...))), evaluated from the inside. */
const millsFraction = (x: number): number => {
  let value = x;
  for (let k = 200; k >= 1; k--) value = x + k / value;
  return value;
};
