import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bits, ln } from './logarithm.js';

/** The first 70 decimals of ln 2 and ln 10 (OEIS A002162, A002392). */
const known: readonly [bigint, string][] = [
  [2n, '06931471805599453094172321214581765680755001343602552541206800094933936'],
  [10n, '23025850929940456840179914546843642076011014886287729760333279009675726'],
];

test('the bounds enclose the printed digits of ln 2 and ln 10', () => {
  for (const [x, digits] of known) {
    const { low, high } = ln(x, 1n);
    const scale = 10n ** 70n;
    expect(low * scale <= (BigInt(digits) + 1n) << BigInt(bits)).toBe(true);
    expect(high * scale >= BigInt(digits) << BigInt(bits)).toBe(true);
    expect(high - low < 1n << 16n).toBe(true);
  }
});

test('the bounds are narrow and agree with Math.log', () => {
  const big = fc.bigInt({ min: 1n, max: 10n ** 300n });
  fc.assert(
    fc.property(big, big, (a, b) => {
      const { low, high } = ln(a, b);
      expect(low <= high && high - low < 1n << 22n).toBe(true);
      const expected = Math.log(Number(a)) - Math.log(Number(b));
      expect(Math.abs(Number(low) / 2 ** bits - expected)).toBeLessThan(1e-12);
    }),
  );
});

test('the bounds respect ln(ab) = ln a + ln b', () => {
  const some = fc.bigInt({ min: 1n, max: 10n ** 40n });
  fc.assert(
    fc.property(some, some, (a, b) => {
      const [left, right, both] = [ln(a, 1n), ln(b, 1n), ln(a * b, 1n)];
      expect(both.low <= left.high + right.high && left.low + right.low <= both.high).toBe(true);
    }),
  );
});
