import { describe, expect, it } from 'vitest';
import { gaussianTail as tail } from '../../../test/support/gaussian-tail.js';
import { rational, rationalNumber } from '../rational.js';
import { leastReach } from './threshold.js';

describe('the least reach of discrete Gaussian noise', () => {
  it.each([
    [1, 16, 1, 3],
    [1, 4, 1, 1000],
    [1, 1, 1, 10 ** 9],
    [7, 3, 1, 40],
    [100, 1, 1, 20],
    [4000, 1, 1, 10 ** 11],
    [250_000, 1, 1, 10 ** 6],
  ])('of variance %i/%i is the one that a sum in doubles finds for a chance of %i/%i', (n, d, p, q) => {
    const [variance, chance] = [rational(n, d), rational(p, q)];
    const least = leastReach(variance, chance);
    const law = (from: number) => tail(rationalNumber(variance), from);
    expect(law(least)).toBeLessThanOrEqual(rationalNumber(chance) * (1 + 1e-9));
    expect(law(least - 1)).toBeGreaterThan(rationalNumber(chance) * (1 - 1e-9));
  });

  it('is never too small where the sum is bounded and not added up, and hardly too large', () => {
    const least = leastReach(rational(10n ** 8n), rational(1n, 10n ** 11n));
    expect(tail(1e8, least)).toBeLessThanOrEqual(1e-11);
    expect(tail(1e8, least - 60)).toBeGreaterThan(1e-11);
  });

  it('refuses what would take forever: files that were tampered with can ask for it', () => {
    expect(() => leastReach(rational(1), rational(1n, 10n ** 300n))).toThrow('must have a chance from 1e-100 on');
    expect(() => leastReach(rational(10n ** 40n), rational(1, 100))).toThrow('a variance up to 1e30');
  });
});
