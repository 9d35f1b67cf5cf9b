import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../domain/input-error.js';
import { gaussian } from '../noise/gaussian.js';
import { laplace } from '../noise/laplace.js';
import { type Rational, rational, rationalNumber } from '../rational.js';
import { type SelectionMechanism, selectionKinds } from '../selection/selection-kinds.js';
import { type Amount, amountToNumber, parseAmount, zeroAmount } from './amount.js';
import { costOf } from './charge.js';
import type { Currency } from './currency.js';

const sigmaSquaredFor = (share: Amount, sensitivitySquared: Rational): Rational =>
  gaussian.termsFor(share, sensitivitySquared, 'zcdp').sigmaSquared;
const laplaceScaleFor = (share: Amount, sensitivity: Rational, currency: Currency): Rational =>
  laplace.termsFor(share, sensitivity, currency).scale;
const selectionEpsilonFor = (share: Amount, kind: SelectionMechanism, currency: Currency): Rational =>
  selectionKinds[kind].epsilonFor(share, currency);

const shares = fc.oneof(
  fc.bigInt({ min: 1n, max: 10n ** 21n }).map((units) => units as Amount),
  fc.bigInt({ min: 1n, max: 10n ** 9n }).map((units) => units as Amount),
);
const sensitivities = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 6n }), fc.bigInt({ min: 1n, max: 10n ** 3n }))
  .map(([n, d]) => rational(n, d));
const currencies = fc.constantFrom('pure' as const, 'zcdp' as const);
const kinds = fc.constantFrom('exponential' as const, 'permute-and-flip' as const);

/** The cost is within the share, and uses at least all but 3 parts in a million of it (or the last unit). */
const fits = (cost: Amount, share: Amount) => {
  expect(cost <= share).toBe(true);
  expect(cost * 1_000_000n >= share * 999_997n - 1_000_000n).toBe(true);
};

test('Gaussian noise bought with a share costs that share, never more', () => {
  fc.assert(
    fc.property(shares, sensitivities, (share, sensitivitySquared) => {
      const sigmaSquared = sigmaSquaredFor(share, sensitivitySquared);
      fits(costOf({ kind: 'gaussian', sensitivitySquared, sigmaSquared }, 'zcdp'), share);
    }),
  );
});

test('Laplace noise bought with a share costs that share, never more, in both currencies', () => {
  fc.assert(
    fc.property(shares, sensitivities, currencies, (share, sensitivity, currency) => {
      const scale = laplaceScaleFor(share, sensitivity, currency);
      fits(costOf({ kind: 'laplace', sensitivity, scale }, currency), share);
    }),
  );
});

test('a selection bought with a share costs that share, never more, in both currencies', () => {
  fc.assert(
    fc.property(shares, kinds, currencies, (share, kind, currency) => {
      fits(costOf({ kind, epsilon: selectionEpsilonFor(share, kind, currency) }, currency), share);
    }),
  );
});

test('the fractions are small: numerators stay below 2^20 beyond the scale, denominators below 2^20 over it', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 10n ** 12n, max: 10n ** 20n }), (units) => {
      const sigmaSquared = sigmaSquaredFor(units as Amount, rational(1));
      const scale = rationalNumber(sigmaSquared);
      expect(Number(sigmaSquared.numerator)).toBeLessThan(2 ** 20 + 1.001 * scale + 2);
      expect(Number(sigmaSquared.denominator)).toBeLessThan((2 ** 20 + 1) / scale + 2);
    }),
  );
  expect(sigmaSquaredFor(parseAmount('0.5'), rational(1))).toEqual(rational(1));
  expect(laplaceScaleFor(parseAmount('0.1'), rational(2), 'pure')).toEqual(rational(20));
  expect(selectionEpsilonFor(parseAmount('0.02'), 'exponential', 'zcdp')).toEqual(rational(2, 5));
});

test('noise agrees with the formulas in doubles', () => {
  const share = parseAmount('0.0123');
  const rho = amountToNumber(share);
  expect(rationalNumber(sigmaSquaredFor(share, rational(7)))).toBeCloseTo(7 / (2 * rho), 3);
  expect(rationalNumber(laplaceScaleFor(share, rational(3), 'zcdp'))).toBeCloseTo(3 / Math.sqrt(2 * rho), 3);
  expect(rationalNumber(selectionEpsilonFor(share, 'exponential', 'zcdp'))).toBeCloseTo(Math.sqrt(8 * rho), 5);
});

test('a share of nothing buys nothing', () => {
  expect(() => sigmaSquaredFor(zeroAmount, rational(1))).toThrow(InputError);
  expect(() => laplaceScaleFor(zeroAmount, rational(1), 'pure')).toThrow(InputError);
});
