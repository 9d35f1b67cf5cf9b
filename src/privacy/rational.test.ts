import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addRational,
  compareRational,
  divideRational,
  exactRational,
  exactTerms,
  multiplyRational,
  type Rational,
  rational,
  rationalDown,
  rationalNumber,
  rationalUp,
} from './rational.js';

const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true });
const term = fc.bigInt({ min: 1n, max: 10n ** 30n });
const fraction = fc.tuple(term, term).map(([n, d]) => rational(n, d));
const slack = (x: Rational, by: bigint): Rational => multiplyRational(x, rational((1n << 30n) + by, 1n << 30n));

describe('rationals', () => {
  it('round a double up by at most 2^-30 and down by at most 2^-30 of itself, compared exactly', () => {
    fc.assert(
      fc.property(positive, (x) => {
        const exact = exactRational(x);
        const [up, down] = [rationalUp(x), rationalDown(x)];
        expect(compareRational(up, exact)).toBeGreaterThanOrEqual(0);
        expect(compareRational(up, slack(exact, 1n))).toBeLessThanOrEqual(0);
        expect(compareRational(down, exact)).toBeLessThanOrEqual(0);
        expect(compareRational(down, slack(exact, -1n))).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('round to the least denominator possible, found by trying them all', () => {
    for (const x of [Math.PI, Math.E, Math.SQRT2, Math.LN2, Math.cbrt(2), 0.3, 1 / 3, 0.3 + 1e-6, Math.exp(5)]) {
      const exact = exactRational(x);
      const limit = slack(exact, 1n);
      let d = 1n;
      const ceiling = () => (exact.numerator * d + exact.denominator - 1n) / exact.denominator;
      while (compareRational({ numerator: ceiling(), denominator: d }, limit) > 0) d++;
      expect(rationalUp(x)).toEqual({ numerator: ceiling(), denominator: d });
    }
  });

  it('keep fractions a person would write, and terms that the fast samplers take', () => {
    expect(rationalUp(0.25)).toEqual(rational(1, 4));
    expect(rationalDown(0.1)).toEqual(rational(1, 10));
    expect(rationalUp(1000)).toEqual(rational(1000));
    expect(rationalUp(2 ** 60)).toEqual(rational(2n ** 60n));
    fc.assert(
      fc.property(fc.double({ min: 2 ** -20, max: 2 ** 31, noNaN: true }), (x) => {
        const { numerator, denominator } = rationalUp(x);
        expect(numerator).toBeLessThan(2n ** 32n);
        expect(denominator).toBeLessThanOrEqual(BigInt(Math.ceil(2 ** 30 / x)));
      }),
    );
  });

  it('hold every finite double exactly', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const [n, d] = exactTerms(x);
        // Both terms are exact as doubles or split by a power of two; dividing in two steps keeps within range.
        const half = BigInt(Math.floor((d.toString(2).length - 1) / 2));
        expect(Number(n) / Number(1n << half) / Number(d >> half)).toBe(x === 0 ? 0 : x);
      }),
    );
  });

  it('come back as the nearest double within one unit in the last place, for small and large values', () => {
    fc.assert(
      fc.property(positive, (x) => {
        expect(rationalNumber(exactRational(x))).toBe(x);
      }),
    );
    fc.assert(
      fc.property(fraction, (x) => {
        const back = exactRational(rationalNumber(x));
        const error = multiplyRational(x, rational(2n ** 52n + 1n, 2n ** 52n));
        expect(compareRational(back, error)).toBeLessThanOrEqual(0);
        expect(compareRational(x, multiplyRational(back, rational(2n ** 52n + 1n, 2n ** 52n)))).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('add, multiply and divide like fractions', () => {
    fc.assert(
      fc.property(fraction, fraction, fraction, (a, b, c) => {
        expect(divideRational(multiplyRational(a, b), b)).toEqual(a);
        expect(multiplyRational(addRational(a, b), c)).toEqual(
          addRational(multiplyRational(a, c), multiplyRational(b, c)),
        );
        expect(compareRational(addRational(a, b), a)).toBe(1);
        expect(compareRational(a, a)).toBe(0);
      }),
    );
  });

  it('refuse zero, negative, fractional and infinite terms', () => {
    for (const make of [
      () => rational(0),
      () => rational(1, 0),
      () => rational(-1, 2),
      () => rational(0.5),
      () => rational(2 ** 53),
      () => rationalUp(0),
      () => rationalUp(-1),
      () => rationalDown(Number.NaN),
      () => rationalUp(Infinity),
    ])
      expect(make).toThrow(/^rational: /);
  });
});
