import { InputError } from '../../domain/input-error.js';
import { type Rational, simplestBetween } from '../rational.js';
import { type Amount, amountScale, toAmount, zeroAmount } from './amount.js';
import type { Currency } from './currency.js';
import { squareRoot } from './integer-root.js';

// What the terms of a charge cost, and back again: what terms a share of the budget buys. Costs are rounded up. Bought terms are
// rounded to the private side and to small fractions (relative error below 2^-20, numerator below about 2^20 + value: an interval
// of width w holds a fraction with denominator ceil(1/w)), so that samplers can work in safe integers; their cost, computed again
// from the rounded number, is never above the share.

const precision = 1n << 20n;

/** A term of a charge; refuses one that is not positive. */
export const positive = (value: Rational, subject: string): Rational => {
  if (value.numerator <= 0n || value.denominator <= 0n)
    throw new InputError(`${subject}: must be positive, got ${value.numerator}/${value.denominator}`);
  return value;
};

/** The cost `numerator / denominator`, rounded up. */
export const costOfRatio = (numerator: bigint, denominator: bigint): Amount =>
  toAmount({ numerator, denominator }, 'up');

/** What a step that costs epsilon^2 / divisor in rho costs more in gdp: at most pi/2 (docs/gdp.md), here rounded up. */
const inGdp = { numerator: 11n, denominator: 7n };

/** The cost of so many epsilon-DP steps: epsilon itself, `epsilon^2 / divisor` in rho, pi/2 times that in gdp. */
export const costOfEpsilon = (
  { numerator, denominator }: Rational,
  currency: Currency,
  divisor: bigint,
  times = 1n,
): Amount => {
  if (currency === 'pure') return costOfRatio(times * numerator, denominator);
  const square = { numerator: times * numerator * numerator, denominator: divisor * denominator * denominator };
  if (currency === 'zcdp') return costOfRatio(square.numerator, square.denominator);
  return costOfRatio(square.numerator * inGdp.numerator, square.denominator * inGdp.denominator);
};

/** The largest epsilon that `share` pays for: itself, or sqrt(divisor share), in gdp by what that costs more, rounded down to 1e-18 and 2^-64 of itself. */
export const epsilonFor = (share: Amount, currency: Currency, divisor: bigint): Rational => {
  const units = paid(share);
  if (currency === 'pure') return { numerator: units, denominator: amountScale };
  const fine = 1n << 64n;
  const rho = currency === 'zcdp' ? units : (units * inGdp.denominator) / inGdp.numerator;
  return { numerator: squareRoot(divisor * rho * amountScale * fine * fine), denominator: amountScale * fine };
};

/** A share as it is spent; refuses none at all. */
export const paid = (share: Amount): bigint => {
  if (share <= zeroAmount) throw new InputError('share: must be positive, got 0; the budget is split too finely');
  return share;
};

/** The simplest fraction in [value, value (1 + 2^-20)]. */
export const roundUp = (numerator: bigint, denominator: bigint): Rational =>
  simplestBetween(
    { numerator, denominator },
    { numerator: numerator * (precision + 1n), denominator: denominator * precision },
  );

/** The simplest fraction in [value (1 - 2^-20), value]. */
export const roundDown = (numerator: bigint, denominator: bigint): Rational =>
  simplestBetween(
    { numerator: numerator * (precision - 1n), denominator: denominator * precision },
    { numerator, denominator },
  );
