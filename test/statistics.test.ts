import { describe, expect, it } from 'vitest';
import { binomialLowerTail, binomialRange, binomialUpperTail } from '../experiments/statistics/binomial.js';
import { chiSquareQuantile, chiSquareTail, goodnessOfFit } from '../experiments/statistics/chi-square.js';
import { logGamma, upperGamma } from '../experiments/statistics/gamma.js';
import { gaussianCdf, laplaceCdf } from '../experiments/statistics/noise-laws.js';
import { seeded } from '../src/random/seeded.js';
import { uniformInteger } from '../src/random/uniform.js';

describe('the statistics that tests rest on', () => {
  it('give ln of factorials and of Gamma(1/2) to 1e-14', () => {
    let factorial = 0;
    for (let n = 1; n <= 60; n++) {
      expect(logGamma(n)).toBeCloseTo(factorial, 12);
      factorial += Math.log(n);
    }
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 14);
  });

  it('give chi-square tails that match their closed form for even degrees of freedom, far into the tail', () => {
    for (const degrees of [2, 4, 10, 40])
      for (const x of [0.1, 1, degrees, 3 * degrees, 100, 300]) {
        // For degrees 2m the tail is the chance that a Poisson variable of mean x/2 is below m.
        let term = Math.exp(-x / 2);
        let sum = 0;
        for (let i = 0; i < degrees / 2; i++) {
          sum += term;
          term *= x / 2 / (i + 1);
        }
        expect(chiSquareTail(x, degrees) / sum).toBeCloseTo(1, 11);
      }
  });

  it('give the tabulated quantiles of chi-square', () => {
    // NIST/SEMATECH e-Handbook, section 1.3.6.7.4.
    for (const [tail, degrees, x] of [
      [0.05, 1, 3.841],
      [0.01, 5, 15.086],
      [0.001, 10, 29.588],
      [0.05, 100, 124.342],
    ])
      expect(Math.abs(chiSquareQuantile(tail, degrees) - x)).toBeLessThan(6e-4);
    expect(upperGamma(25, chiSquareQuantile(1e-8, 50) / 2)).toBeCloseTo(1e-8, 16);
  });

  it('sum binomial tails like the masses one by one', () => {
    const [n, p] = [12, 0.3];
    const masses = Array.from({ length: 1 << n }, (_, outcome) => outcome.toString(2).replaceAll('0', '').length);
    for (let k = 0; k <= n; k++) {
      const chance = (test: (ones: number) => boolean) =>
        masses.reduce((sum, ones) => sum + (test(ones) ? p ** ones * (1 - p) ** (n - ones) : 0), 0);
      expect(binomialUpperTail(k, n, p)).toBeCloseTo(
        chance((ones) => ones >= k),
        12,
      );
      expect(binomialLowerTail(k, n, p)).toBeCloseTo(
        chance((ones) => ones <= k),
        12,
      );
    }
  });

  it('give a binomial range whose two sides are each rarer than half the false-alarm rate, and could not be narrower', () => {
    const [low, high] = binomialRange(10_000, 0.37, 1e-6);
    expect(binomialUpperTail(high + 1, 10_000, 0.37)).toBeLessThanOrEqual(5e-7);
    expect(binomialUpperTail(high, 10_000, 0.37)).toBeGreaterThan(5e-7);
    expect(binomialLowerTail(low - 1, 10_000, 0.37)).toBeLessThanOrEqual(5e-7);
    expect(binomialLowerTail(low, 10_000, 0.37)).toBeGreaterThan(5e-7);
  });

  it('accept a fair die and reject one loaded by five percent', () => {
    const random = seeded(1);
    const fair = new Float64Array(6);
    for (let i = 0; i < 200_000; i++) fair[uniformInteger(random, 6)]++;
    expect(goodnessOfFit(fair, Array(6).fill(1 / 6)).fits).toBe(true);
    expect(goodnessOfFit(fair, [1.05 / 6, 0.95 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6]).fits).toBe(false);
  });

  it('give noise laws that agree with the reference values of the specification', () => {
    const moments = (cdf: (k: number) => number) => {
      const mass = (k: number) => cdf(k) - cdf(k - 1);
      let variance = 0;
      for (let k = -60; k <= 60; k++) variance += k * k * mass(k);
      return [mass(0), mass(1), variance];
    };
    const close = (actual: number[], expected: number[]) =>
      actual.forEach((value, i) => {
        expect(value).toBeCloseTo(expected[i], 9);
      });
    close(moments(gaussianCdf(1)), [0.3989422783, 0.2419707232, 0.9999997888]);
    close(moments(gaussianCdf(0.5)), [0.786570707, 0.1064507694, 0.2150126751]);
    close(moments(laplaceCdf(1)), [0.4621171573, 0.1700034016, 1.8413471884]);
  });

  it('join the two ways of computing a Gaussian law where they meet', () => {
    const [summed, integrated] = [gaussianCdf(2000), gaussianCdf(2000.000001)];
    for (const k of [-9000, -2500, -1, 0, 1, 777, 4000]) expect(integrated(k) / summed(k)).toBeCloseTo(1, 6);
  });
});
