import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rational, simplestBetween } from '../src/privacy/rational.js';

test('the fraction found is the one with the least denominator that brute force finds in the interval', () => {
  const ends = fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }));
  fc.assert(
    fc.property(ends, ends, ([a, b], [c, d]) => {
      const [low, high] = a * d <= c * b ? [rational(a, b), rational(c, d)] : [rational(c, d), rational(a, b)];
      const found = simplestBetween(low, high);
      for (let q = 1n; ; q++) {
        const p = (low.numerator * q + low.denominator - 1n) / low.denominator;
        if (p * high.denominator > high.numerator * q) continue;
        expect(found).toEqual({ numerator: p, denominator: q });
        return;
      }
    }),
  );
});
