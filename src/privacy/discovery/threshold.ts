import { InputError } from '../../domain/input-error.js';
import { squareRoot } from '../accounting/integer-root.js';
import { type Enclosure, encloseExp, multiplyEnclosures } from '../noise/exp-enclosure.js';
import { compareRational, type Rational, rationalNumber } from '../rational.js';

/** Smaller chances and larger noise are past any use, and would take long to work out. */
const leastChance = { numerator: 1n, denominator: 10n ** 100n };
const mostVariance = 10n ** 30n;

/** Fractional bits of the chances here: the least one still has some eighty good digits. */
const bits = 608;
const one = 1n << BigInt(bits);

/** Terms of a sum that are added one by one; what follows is bounded by a geometric series, which is too much by a part of a few hundredths. */
const mostTerms = 512;

/** A little less than pi. */
const pi = { numerator: 31415926535897932384n, denominator: 10n ** 19n };

/** exp(-(n/d) x) for a whole x, where n/d = 1 / (2 sigma^2). */
const power = ({ numerator, denominator }: Rational, x: bigint): Enclosure =>
  encloseExp(x * denominator, 2n * numerator, bits);

/**
 * At least the sum of exp(-j^2 / (2 sigma^2)) over the whole numbers j >= from, and no more than needed. Each term is the last times a ratio
 * that itself shrinks by exp(-1 / sigma^2), so from any term on a geometric series bounds the rest.
 */
const tailAbove = (sigmaSquared: Rational, from: bigint): bigint => {
  const shrink = power(sigmaSquared, 2n);
  let term = power(sigmaSquared, from * from);
  let ratio = power(sigmaSquared, 2n * from + 1n);
  let sum = 0n;
  for (let count = 0; count < mostTerms && term.high > 1n << 40n; count++) {
    sum += term.high;
    term = multiplyEnclosures(term, ratio, BigInt(bits));
    ratio = multiplyEnclosures(ratio, shrink, BigInt(bits));
  }
  const left = one - ratio.high;
  // Where the ratio cannot be told from 1, no bound is known.
  return left <= 0n ? one << 64n : sum + (term.high * one) / left + 1n;
};

/**
 * At most the sum of exp(-j^2 / (2 sigma^2)) over all whole numbers j. By Poisson summation it is sqrt(2 pi sigma^2) and something positive;
 * for a small sigma the terms about 0 say more.
 */
const wholeBelow = (sigmaSquared: Rational): bigint => {
  let sum = one;
  for (let j = 1n; j <= 16n; j++) sum += 2n * power(sigmaSquared, j * j).low;
  const { numerator, denominator } = sigmaSquared;
  const square = (2n * pi.numerator * numerator * one * one) / (pi.denominator * denominator);
  const smooth = squareRoot(square);
  return sum > smooth ? sum : smooth;
};

/** Whether discrete Gaussian noise is at least `from` with a chance of at most `chance`: certainly so, in whole numbers. */
const staysBelow = (sigmaSquared: Rational, from: bigint, chance: Rational): boolean =>
  tailAbove(sigmaSquared, from) * chance.denominator <= wholeBelow(sigmaSquared) * chance.numerator;

/**
 * The least whole number that discrete Gaussian noise of this parameter reaches with a chance of at most `chance`, below 1/2. Found in doubles,
 * decided in whole numbers with every rounding to the safe side: the chance is never above what is promised.
 */
export const leastReach = (sigmaSquared: Rational, chance: Rational): number => {
  if (compareRational(chance, leastChance) < 0 || sigmaSquared.numerator > mostVariance * sigmaSquared.denominator)
    throw new InputError(
      'threshold: must have a chance from 1e-100 on and a variance up to 1e30, got beyond; give a larger delta or more of the budget',
    );
  const isSafe = (from: bigint): boolean => staysBelow(sigmaSquared, from, chance);
  let low = 0n; // not safe: noise is at least 0 with a chance above 1/2
  let high = BigInt(guessReach(Math.sqrt(rationalNumber(sigmaSquared)), rationalNumber(chance)));
  // From the guess in steps that double, down or up, until the least lies between a number that is not safe and one that is.
  if (isSafe(high)) {
    for (let step = 1n; high - step > low; step *= 2n)
      if (isSafe(high - step)) high -= step;
      else low = high - step;
  } else
    for (let step = 1n; ; step *= 2n) {
      low = high;
      high += step;
      if (isSafe(high)) break;
    }
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (isSafe(middle)) high = middle;
    else low = middle;
  }
  return Number(high);
};

/** About where a Gaussian tail has this chance, in doubles: ln Q(z) is near -z^2/2 - ln(z sqrt(2 pi)). */
const guessReach = (sigma: number, chance: number): number => {
  let z = 1;
  for (let turn = 0; turn < 30; turn++)
    z = Math.sqrt(Math.max(0.1, 2 * (-Math.log(chance) - Math.log(z * Math.sqrt(2 * Math.PI)) - 1 / (1 + z * z))));
  return Math.max(1, Math.round(sigma * z + 0.5));
};
