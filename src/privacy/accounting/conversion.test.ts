import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../domain/input-error.js';
import { type Amount, addAmounts, amountToNumber, parseAmount, zeroAmount } from './amount.js';
import { epsilonOf, rhoOf } from './conversion.js';
import { bits, ln } from './logarithm.js';

const digits = (amount: Amount) => Number(amountToNumber(amount).toPrecision(10));

// Reference values to ten digits, from a search over alpha in high precision.
test.each([
  ['0.001', '1e-9', 0.2451192539],
  ['0.05', '1e-5', 1.308118343],
  ['0.1', '1e-6', 2.141938928],
  ['0.5', '1e-9', 6.474070021],
  ['1', '1e-5', 7.077196696],
  ['10', '1e-9', 37.63745358],
])('rho %s at delta %s is epsilon %d', (rho, delta, epsilon) =>
  expect(digits(epsilonOf(parseAmount(rho), delta))).toBe(epsilon),
);

test.each([
  ['0.1', '1e-6', 3.210476903e-4],
  ['1', '1e-9', 0.01497305767],
  ['1', '1e-6', 0.02435597036],
  ['3', '1e-9', 0.1205824289],
  ['10', '1e-9', 1.090785704],
])('epsilon %s at delta %s is rho %d', (epsilon, delta, rho) =>
  expect(digits(rhoOf(parseAmount(epsilon), delta))).toBe(rho),
);

const one = 1n << BigInt(bits);

/**
 * ln of the delta that rho gives at epsilon, least over a fine grid of alphas, to about 2^-200: the formula of the
 * specification, term by term in 256-bit fixed point, and not the closed forms that the code uses. Amounts in 1e-18.
 */
const lnDelta = (rho: bigint, epsilon: bigint, around: number): bigint => {
  let least: bigint | undefined;
  for (let i = -40; i <= 40; i++) {
    const x = BigInt(Math.max(1, Math.round(around * 1.02 ** i * 2 ** 40)));
    const alpha = one + (x << BigInt(bits - 40));
    const exponent = ((alpha - one) * ((alpha * rho) / one - epsilon)) / 10n ** 18n;
    const log = (alpha * ln(alpha - one, alpha).low) / one;
    const value = exponent + log - ln(alpha - one, one).low;
    if (least === undefined || value < least) least = value;
  }
  return least!;
};

const rhos = fc.bigInt({ min: 10n ** 12n, max: 10n ** 20n }).map((units) => units as Amount);
const epsilons = fc.bigInt({ min: 10n ** 16n, max: 10n ** 20n }).map((units) => units as Amount);
const deltas = fc.constantFrom('1e-5', '1e-6', '1e-9', '1e-12', '1e-30', '0.01', '3e-7');

/** alpha - 1 at the optimum, where rho a^2 + ln(1+a) = ln(1/delta), by halving. */
const near = (rho: number, delta: number): number => {
  let [low, high] = [0, 1e9];
  for (let i = 0; i < 200; i++) {
    const a = (low + high) / 2;
    if (rho * a * a + Math.log1p(a) < -Math.log(delta)) low = a;
    else high = a;
  }
  return low;
};

test('a brute-force search over alpha confirms epsilon to nine digits, and finds the delta kept', () => {
  fc.assert(
    fc.property(rhos, deltas, (rho, delta) => {
      const epsilon = epsilonOf(rho, delta);
      fc.pre(epsilon > 0n);
      const around = near(amountToNumber(rho), Number(delta));
      const log = Math.log(Number(delta));
      const at = (e: bigint) => Number(lnDelta(rho, e, around)) / 2 ** bits;
      // The grid is coarse (2%), so it may miss the least delta by a little, in units of ln delta.
      expect(at(epsilon)).toBeLessThan(log + 0.01 * Math.abs(log) + 1e-9);
      // At a smaller epsilon no alpha of the grid keeps delta: the answer is tight.
      expect(at(epsilon - epsilon / 10n ** 9n - 1n)).toBeGreaterThan(log);
    }),
    { numRuns: 60 },
  );
});

test('no alpha is needed on trust: at some alpha, the specified formula gives at most delta for the rho granted', () => {
  fc.assert(
    fc.property(epsilons, deltas, (epsilon, delta) => {
      const rho = rhoOf(epsilon, delta);
      const r = amountToNumber(rho);
      const d = Number(delta);
      // A dense local search in doubles, from the definition; 1e-9 covers its floating-point error.
      let least = Number.POSITIVE_INFINITY;
      const start = near(r, d);
      for (let i = -2000; i <= 2000; i++) {
        const alpha = 1 + start * 1.0001 ** i;
        const value =
          (alpha - 1) * (alpha * r - amountToNumber(epsilon)) + alpha * Math.log1p(-1 / alpha) - Math.log(alpha - 1);
        if (value < least) least = value;
      }
      expect(least).toBeLessThanOrEqual(Math.log(d) + 1e-6);
      expect(least).toBeGreaterThan(Math.log(d) - 1e-6);
    }),
    { numRuns: 60 },
  );
});

test('epsilon to rho and back never exceeds the epsilon asked for, and loses at most one part in 1e9', () => {
  fc.assert(
    fc.property(epsilons, deltas, (epsilon, delta) => {
      const back = epsilonOf(rhoOf(epsilon, delta), delta);
      expect(back <= epsilon).toBe(true);
      expect(back * 10n ** 9n >= epsilon * (10n ** 9n - 1n)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('one unit of 1e-18 of rho more than granted breaks the epsilon, or is lost in its rounding', () => {
  for (const epsilon of ['0.1', '1', '3', '10'])
    for (const delta of ['1e-6', '1e-9']) {
      const rho = rhoOf(parseAmount(epsilon), delta);
      expect(epsilonOf((rho + 10n) as Amount, delta) > parseAmount(epsilon)).toBe(true);
    }
});

test('epsilon grows with rho and falls with delta; rho grows with epsilon and with delta', () => {
  const sorted = (a: Amount, b: Amount) => (a < b ? [a, b] : [b, a]) as [Amount, Amount];
  fc.assert(
    fc.property(rhos, rhos, deltas, deltas, (a, b, c, d) => {
      const [small, large] = sorted(a, b);
      const [tight, loose] = Number(c) < Number(d) ? [c, d] : [d, c];
      expect(epsilonOf(small, c) <= epsilonOf(large, c)).toBe(true);
      expect(epsilonOf(a, loose) <= epsilonOf(a, tight)).toBe(true);
      expect(rhoOf(small, c) <= rhoOf(large, c)).toBe(true);
      expect(rhoOf(a, tight) <= rhoOf(a, loose)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test('the conversion is never worse than the simple bound rho + 2 sqrt(rho ln(1/delta))', () => {
  fc.assert(
    fc.property(rhos, deltas, (rho, delta) => {
      const r = amountToNumber(rho);
      const simple = r + 2 * Math.sqrt(r * -Math.log(Number(delta)));
      expect(amountToNumber(epsilonOf(rho, delta))).toBeLessThanOrEqual(simple * (1 + 1e-12));
    }),
  );
});

test('two halves of a rho cost together what the whole costs', () => {
  const rho = rhoOf(parseAmount(1), '1e-9');
  const half = (rho / 2n) as Amount;
  expect(epsilonOf(addAmounts(half, half), '1e-9') <= parseAmount(1)).toBe(true);
});

test('the ends of the range hold: no loss, the smallest loss, huge losses, tiny deltas', () => {
  expect(epsilonOf(zeroAmount, '1e-9')).toBe(zeroAmount);
  // rho 1e-18 moves any event by at most sqrt(rho/2) < 1e-9, so delta alone covers it.
  expect(epsilonOf(1n as Amount, '1e-9')).toBe(zeroAmount);
  expect(epsilonOf(1n as Amount, '1e-300') > 0n).toBe(true);
  expect(amountToNumber(epsilonOf(parseAmount(1e6), '1e-300'))).toBeGreaterThan(1e6);
  expect(amountToNumber(rhoOf(parseAmount(1e6), '1e-300'))).toBeLessThan(1e6);
  expect(rhoOf(1n as Amount, '1e-300')).toBe(zeroAmount);
  expect(rhoOf(parseAmount(1), '0.9') > rhoOf(parseAmount(1), '0.5')).toBe(true);
});

test.each([0, 1, 2, -1e-9, Number.NaN, Number.POSITIVE_INFINITY, '', 'small', '1e-500'])(
  'delta must lie between 0 and 1: %s is refused',
  (delta) => {
    expect(() => epsilonOf(parseAmount(1), delta)).toThrow(InputError);
    expect(() => rhoOf(parseAmount(1), delta)).toThrow(InputError);
  },
);
