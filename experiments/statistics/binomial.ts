import { logGamma } from './gamma.js';

/** ln of the chance of k successes in n trials. */
const logMass = (k: number, n: number, p: number): number =>
  logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1) + k * Math.log(p) + (n - k) * Math.log1p(-p);

/** P(X >= k), X binomial with 0 < p < 1, summed outwards from k so that small tails keep their relative accuracy. */
export const binomialUpperTail = (k: number, n: number, p: number): number => {
  if (k <= 0) return 1;
  if (k > n) return 0;
  if (k <= n * p) return 1 - binomialLowerTail(k - 1, n, p);
  let term = Math.exp(logMass(k, n, p));
  let sum = 0;
  for (let i = k; i <= n && term > sum * 1e-18; i++) {
    sum += term;
    term *= ((n - i) / (i + 1)) * (p / (1 - p));
  }
  return sum;
};

/** P(X <= k). */
export const binomialLowerTail = (k: number, n: number, p: number): number => binomialUpperTail(n - k, n, 1 - p);

/** The central interval [low, high] that X leaves with chance at most `falseAlarm`, half on either side. */
export const binomialRange = (n: number, p: number, falseAlarm: number): readonly [low: number, high: number] => {
  const least = (test: (k: number) => boolean): number => {
    let [low, high] = [0, n + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (test(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const high = least((k) => binomialUpperTail(k + 1, n, p) <= falseAlarm / 2);
  const low = least((k) => binomialLowerTail(k, n, p) > falseAlarm / 2);
  return [low, high];
};
