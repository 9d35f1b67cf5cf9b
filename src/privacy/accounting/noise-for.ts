import { InputError } from '../../domain/input-error.js';
import { type Rational, simplestBetween } from '../rational.js';
import { type Amount, amountScale, zeroAmount } from './amount.js';
import type { Currency } from './charge.js';

// The inverse of `costOf`: how much noise a share of the budget buys. Results are rounded to the private side and to
// small fractions (relative error below 2^-20, numerator below about 2^20 + value: an interval of width w holds a fraction
// with denominator ceil(1/w)), so that samplers can work in safe integers; their cost, computed again from the rounded
// number, is never above the share.

const precision = 1n << 20n;

const paid = (share: Amount): bigint => {
  if (share <= zeroAmount) throw new InputError('share: must be positive, got 0; the budget is split too finely');
  return share;
};

/** The simplest fraction in [value, value (1 + 2^-20)]. */
const roundUp = (numerator: bigint, denominator: bigint): Rational =>
  simplestBetween(
    { numerator, denominator },
    { numerator: numerator * (precision + 1n), denominator: denominator * precision },
  );

/** The simplest fraction in [value (1 - 2^-20), value]. */
const roundDown = (numerator: bigint, denominator: bigint): Rational =>
  simplestBetween(
    { numerator: numerator * (precision - 1n), denominator: denominator * precision },
    { numerator, denominator },
  );

/** Discrete Gaussian: the sigma^2, rounded up, at which `sensitivitySquared` costs at most `share` rho. */
export const sigmaSquaredFor = (share: Amount, sensitivitySquared: Rational): Rational =>
  roundUp(sensitivitySquared.numerator * amountScale, 2n * sensitivitySquared.denominator * paid(share));

/** Discrete Laplace: the scale, rounded up, at which `sensitivity` costs at most `share` in the currency. */
export const laplaceScaleFor = (share: Amount, sensitivity: Rational, currency: Currency): Rational => {
  const epsilon = epsilonBound(share, currency, 2n);
  return roundUp(sensitivity.numerator * epsilon.denominator, sensitivity.denominator * epsilon.numerator);
};

/** Selection: the epsilon, rounded down, of one choice that costs at most `share` in the currency. */
export const selectionEpsilonFor = (
  share: Amount,
  kind: 'exponential' | 'permute-and-flip',
  currency: Currency,
): Rational => {
  const epsilon = epsilonBound(share, currency, kind === 'exponential' ? 8n : 2n);
  return roundDown(epsilon.numerator, epsilon.denominator);
};

/** The largest epsilon that `share` pays for: itself, or sqrt(divisor share) rounded down to 1e-18 and 2^-64 of itself. */
const epsilonBound = (share: Amount, currency: Currency, divisor: bigint): Rational => {
  const units = paid(share);
  if (currency === 'pure') return { numerator: units, denominator: amountScale };
  const fine = 1n << 64n;
  return { numerator: squareRoot(divisor * units * amountScale * fine * fine), denominator: amountScale * fine };
};

/** floor(sqrt(n)) by Newton's iteration from above. */
const squareRoot = (n: bigint): bigint => {
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
};
