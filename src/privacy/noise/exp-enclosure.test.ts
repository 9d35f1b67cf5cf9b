import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encloseExp, multiplyEnclosures } from './exp-enclosure.js';

/** Encloses exp(-a/b) 2^bits by exact fractions: partial sums of the series of exp(a/b), whose rest is below twice the next term. */
const slowly = (a: bigint, b: bigint, bits: number): readonly [bigint, bigint] => {
  let [term, sum, denominator] = [1n, 0n, 1n];
  for (let k = 1n; k <= 600n; k++) {
    sum = (sum + term) * b * k;
    term *= a;
    denominator *= b * k;
  }
  const scale = 1n << BigInt(bits);
  return [(scale * denominator) / (sum + 2n * term), (scale * denominator) / sum + 1n];
};

describe('encloseExp', () => {
  it('contains the true value, by a second evaluation in exact fractions, and is a few units wide', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fc.bigInt({ min: 10n ** 18n, max: 10n ** 20n }),
        fc.integer({ min: 8, max: 300 }),
        (a, b, bits) => {
          fc.pre(a <= 50n * b);
          const { low, high } = encloseExp(a, b, bits);
          const [least, most] = slowly(a, b, bits);
          // The narrow intervals around the same number overlap; the fractions are at most 2 apart.
          expect(low).toBeLessThanOrEqual(most);
          expect(high).toBeGreaterThanOrEqual(least);
          expect(high - low).toBeLessThanOrEqual(4n);
          const fine = slowly(a, b, bits + 40);
          expect(fine[1] - fine[0]).toBeLessThanOrEqual(2n);
          expect(low << 40n).toBeLessThanOrEqual(fine[0]);
          expect(high << 40n).toBeGreaterThanOrEqual(fine[1]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is nested as bits are added, and shrinks to nothing for huge exponents', () => {
    for (const [a, b] of [
      [1n, 1n],
      [355n, 113n],
      [1n, 10n ** 30n],
    ])
      for (let bits = 10; bits < 400; bits += 30) {
        const [coarse, fine] = [encloseExp(a, b, bits), encloseExp(a, b, bits + 30)];
        expect(coarse.low << 30n).toBeLessThanOrEqual(fine.high);
        expect(coarse.high << 30n).toBeGreaterThanOrEqual(fine.low);
      }
    expect(encloseExp(10n ** 40n, 1n, 100)).toEqual({ low: 0n, high: 1n });
    const one = encloseExp(0n, 1n, 60);
    expect(one.low <= 1n << 60n && 1n << 60n <= one.high).toBe(true);
  });

  it('multiplies enclosures into one that holds all products', () => {
    const bits = 40;
    const [x, y] = [encloseExp(1n, 3n, bits), encloseExp(2n, 5n, bits)];
    const product = multiplyEnclosures(x, y, BigInt(bits));
    const fine = slowly(11n, 15n, bits + 40);
    expect(product.low << 40n).toBeLessThanOrEqual(fine[0]);
    expect(product.high << 40n).toBeGreaterThanOrEqual(fine[1]);
  });
});
