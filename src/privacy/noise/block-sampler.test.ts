import { describe, expect, it } from 'vitest';
import { gaussianCdf, laplaceCdf } from '../../../experiments/statistics/noise-laws.js';
import { rational } from '../rational.js';
import { blockSampler, type Law } from './block-sampler.js';
import { gaussianLaw } from './gaussian.js';
import { laplaceLaw } from './laplace.js';

/**
 * The chances with which a sampler of unit blocks gives 0, 1, 2, ...: its magnitude never falls as the first 31 bits rise, so
 * bisection finds where each magnitude begins, to 2^-31.
 */
const chances = (law: Law, count: number): number[] => {
  const sampler = blockSampler(law) ?? expect.fail('no sampler');
  const magnitude = (u: number) => {
    let word = (u << 1) >>> 0;
    return sampler({
      uint32: () => {
        const next = word;
        word = 0x55555555;
        return next;
      },
    });
  };
  const starts = Array.from({ length: count + 1 }, (_, k) => {
    let [low, high] = [0, 2 ** 31];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (magnitude(middle) >= k) high = middle;
      else low = middle + 1;
    }
    return low / 2 ** 31;
  });
  return starts.slice(1).map((start, k) => start - starts[k]);
};

/** P(0), P(1) and the variance of the signed law. */
const summary = (law: Law): number[] => {
  const masses = chances(law, 40);
  return [masses[0], masses[1] / 2, masses.reduce((sum, mass, k) => sum + k * k * mass, 0)];
};

const expectClose = (actual: number[], expected: number[], tolerances: number[]): void =>
  actual.forEach((value, i) => {
    expect(Math.abs(value - expected[i])).toBeLessThan(tolerances[i]);
  });

describe('the table sampler', () => {
  it('has the reference P(0) and P(1) to 1e-9 and the variance to 1e-6', () => {
    const tolerances = [1e-9, 1e-9, 1e-6];
    expectClose(summary(gaussianLaw(rational(1))), [0.3989422783, 0.2419707232, 0.9999997888], tolerances);
    expectClose(summary(gaussianLaw(rational(1, 4))), [0.786570707, 0.1064507694, 0.2150126751], tolerances);
    expectClose(summary(laplaceLaw(rational(1))), [0.4621171573, 0.1700034016, 1.8413471884], tolerances);
  });

  it('gives every magnitude its chance to 2^-30, for fractional and tiny scales too', () => {
    for (const [n, d] of [
      [1, 4],
      [3, 7],
      [1, 1000],
      [25, 2],
      [17, 3],
    ]) {
      const gaussian = gaussianCdf(Math.sqrt(n / d));
      const laplace = laplaceCdf(n / d);
      for (const [law, cdf] of [
        [gaussianLaw(rational(n, d)), gaussian],
        [laplaceLaw(rational(n, d)), laplace],
      ] as const)
        chances(law, 30).forEach((chance, k) => {
          const mass = k === 0 ? cdf(0) - cdf(-1) : 2 * (cdf(-k) - cdf(-k - 1));
          expect(Math.abs(chance - mass)).toBeLessThan(2 ** -30);
        });
    }
  });

  it('reaches far tails when the words ask for it', () => {
    for (const law of [
      gaussianLaw(rational(1)),
      laplaceLaw(rational(1)),
      gaussianLaw(rational(10_000)),
      laplaceLaw(rational(100)),
    ]) {
      const sampler = blockSampler(law) ?? expect.fail('no sampler');
      const words = [0xfffffffe, 0xffffffff, 0xffffff00];
      const draw = sampler({ uint32: () => words.shift() ?? 0 });
      // The chance left by 31 + 56 bits of ones is 2^-87.
      const spread = Number(law.over) / Number(law.linear || 1n);
      const expected = law.square === 0n ? spread * 87 * Math.LN2 : Math.sqrt(spread * 87 * Math.LN2);
      expect(draw / expected).toBeGreaterThan(0.85);
      expect(draw / expected).toBeLessThan(1.15);
    }
  });

  it('takes what safe integers can hold and leaves the rest', () => {
    const takes = (law: Law) => blockSampler(law) !== undefined;
    expect(takes(laplaceLaw(rational(10 ** 7)))).toBe(true);
    expect(takes(laplaceLaw(rational(10 ** 9)))).toBe(false);
    expect(takes(laplaceLaw(rational(2n ** 40n, 2n ** 30n - 1n)))).toBe(true);
    expect(takes(laplaceLaw(rational(2n ** 40n + 1n, 2n ** 30n)))).toBe(false);
    expect(takes(gaussianLaw(rational(2n ** 39n)))).toBe(true);
    expect(takes(gaussianLaw(rational(2n ** 39n + 1n)))).toBe(false);
    // Blocks of one value need no acceptance, so no terms are too large.
    expect(takes(gaussianLaw(rational(10n ** 40n, 10n ** 40n + 1n)))).toBe(true);
  });
});
