import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRational, exactTerms, multiplyRational, type Rational, rational } from '../rational.js';
import { gapAt, scoreGaps, selectionGrid } from './score-grid.js';

const gapsOf = (scores: Float64Array, grid: Rational): number[] => {
  const gaps = scoreGaps(scores, grid);
  return Array.from(scores, (_, i) => gapAt(gaps, i));
};

/** floor(score / grid) by fractions. */
const step = (score: number, grid: Rational): bigint => {
  const [n, d] = exactTerms(score);
  const [over, under] = [n * grid.denominator, d * grid.numerator];
  return (over - (((over % under) + under) % under)) / under;
};

describe('the score grid', () => {
  it('is by default a power of two that raises the sensitivity by at most 2^-16 of itself', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.bigInt({ min: 1n, max: 10n ** 12n }), (n, d) => {
        const sensitivity = rational(n, d);
        const { grid, sensitivity: raised } = selectionGrid(sensitivity);
        expect(grid.numerator).toBe(1n);
        expect(grid.denominator & (grid.denominator - 1n)).toBe(0n);
        expect(compareRational(grid, multiplyRational(sensitivity, rational(1, 2 ** 16)))).toBeLessThanOrEqual(0);
        if (grid.denominator > 1n)
          expect(compareRational(grid, multiplyRational(sensitivity, rational(1, 2 ** 18)))).toBe(1);
        expect(raised.numerator * d * grid.denominator).toBe((n * grid.denominator + d) * raised.denominator);
      }),
    );
  });

  it('rounds scores down exactly, for dyadic and other grids', () => {
    const score = fc.oneof(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.integer({ min: -1000, max: 1000 }),
      fc.constantFrom(-5e-324, 5e-324, 0.1, -0.1, 0.3, 2 ** 31 + 0.5),
    );
    const grid = fc.constantFrom(rational(1, 2 ** 16), rational(1), rational(1, 10), rational(3, 7), rational(8));
    fc.assert(
      fc.property(fc.array(score, { minLength: 1, maxLength: 20 }), grid, (scores, spacing) => {
        const steps = scores.map((value) => step(value, spacing));
        const best = steps.toSorted((a, b) => Number(a - b))[steps.length - 1];
        expect(gapsOf(Float64Array.from(scores), spacing).map(BigInt)).toEqual(steps.map((own) => best - own));
      }),
    );
  });

  it('keeps gaps of neighbouring scores within sensitivity plus one step', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.constantFrom(rational(1, 2 ** 16), rational(3, 7), rational(5)),
        (score, change, grid) => {
          const moved = score + change;
          fc.pre(Math.abs(moved - score) <= 1);
          const difference = step(score, grid) - step(moved, grid);
          const size = difference < 0n ? -difference : difference;
          const { sensitivity } = selectionGrid(rational(1), grid);
          if (size > 0n)
            expect(compareRational(multiplyRational(rational(size), grid), sensitivity)).toBeLessThanOrEqual(0);
        },
      ),
    );
  });

  it('clamps scores too large to count in steps, keeping their order', () => {
    const gaps = gapsOf(Float64Array.of(1e300, 1e17, 0, -1e300), rational(1, 2 ** 16));
    expect(gaps).toEqual([0, 0, 2 ** 52, 2 ** 53]);
  });

  it('refuses NaN, infinities and an empty list, naming the candidate only', () => {
    for (const bad of [Number.NaN, Infinity, -Infinity])
      expect(() => scoreGaps(Float64Array.of(1, bad), rational(1))).toThrow(
        /^selection: scores must be finite, got another value at candidate 1;/,
      );
    expect(() => scoreGaps(new Float64Array(), rational(1))).toThrow(/^selection: needs at least one candidate/);
  });
});
