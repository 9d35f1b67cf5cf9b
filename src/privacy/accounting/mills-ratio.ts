import { squareRoot } from './integer-root.js';
import { bits } from './logarithm.js';

const shift = BigInt(bits);
const one = 1n << shift;

/** Lower and upper bound in units of 2^-bits. */
interface Enclosure {
  readonly low: bigint;
  readonly high: bigint;
}

/** The first 90 digits of pi behind the point, cut. */
const piDigits = 3_141592653589793238462643383279502884197169399375105820974944592307816406286208998628034825n;
const piScale = 10n ** 90n;

/** Pi in units of 2^-bits. */
export const pi: Enclosure = {
  low: (piDigits * one) / piScale,
  high: ((piDigits + 1n) * one) / piScale + 1n,
};

/** sqrt(pi/2). */
const rootOfHalfPi: Enclosure = {
  low: squareRoot((pi.low * one) / 2n),
  high: squareRoot((pi.high * one) / 2n + 1n) + 1n,
};

/** For 0 <= x < 1: sqrt(pi/2) exp(x^2/2) - (x + x^3/3 + x^5/15 + ...), both series of positive terms. */
const bySeries = (x: bigint): Enclosure => {
  const square: Enclosure = { low: (x * x) >> shift, high: ((x * x) >> shift) + 1n };
  let term: Enclosure = { low: one, high: one };
  let exponential: Enclosure = term;
  let odd: Enclosure = { low: x, high: x };
  let sum: Enclosure = odd;
  for (let k = 1n; term.high > 4n || odd.high > 4n; k++) {
    term = { low: (term.low * square.low) / (2n * k * one), high: (term.high * square.high) / (2n * k * one) + 1n };
    odd = {
      low: (odd.low * square.low) / ((2n * k + 1n) * one),
      high: (odd.high * square.high) / ((2n * k + 1n) * one) + 1n,
    };
    exponential = { low: exponential.low + term.low, high: exponential.high + term.high };
    sum = { low: sum.low + odd.low, high: sum.high + odd.high };
  }
  // What is left out of either series is below its last term, since terms at least halve.
  const whole = { low: exponential.low, high: exponential.high + term.high };
  return {
    low: ((rootOfHalfPi.low * whole.low) >> shift) - (sum.high + odd.high),
    high: ((rootOfHalfPi.high * whole.high) >> shift) + 1n - sum.low,
  };
};

/**
 * For x >= 1: the continued fraction 1/(x + 1/(x + 2/(x + 3/(x + ...)))) (Laplace), from behind. Behind its n-th place stands a number between x and
 * x + n/x, and each step before maps an enclosure to one.
 */
const byFraction = (x: bigint): Enclosure => {
  const places = 24n + (800n * one * one) / (x * x);
  let behind: Enclosure = { low: x, high: x + ((places + 1n) * one * one) / x + 1n };
  for (let n = places; n >= 1n; n--)
    behind = { low: x + (n * one * one) / behind.high, high: x + (n * one * one) / behind.low + 1n };
  return { low: (one * one) / behind.high, high: (one * one) / behind.low + 1n };
};

/**
 * Bounds of Mills' ratio (1 - Phi(x)) / phi(x) of the normal law for x >= 0 in units of 2^-bits, less than 2^-100 apart. Integers only. It falls with x, so
 * that bounds at the ends of an interval are bounds within it.
 */
export const millsRatio = (x: bigint): Enclosure => (x < one ? bySeries(x) : byFraction(x));
