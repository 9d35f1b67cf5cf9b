import { InputError } from '../../domain/input-error.js';
import { type Amount, amountScale, amountToNumber, zeroAmount } from './amount.js';
import { decimal } from './decimal.js';
import { bits, ln } from './logarithm.js';

// A rho-zCDP mechanism is (epsilon, delta)-DP for every alpha > 1 with
//   ln delta = (alpha-1)(alpha rho - epsilon) + alpha ln(1 - 1/alpha) - ln(alpha-1)
// (Canonne, Kamath, Steinke 2020, from the Renyi divergence alpha rho of every order alpha).
// With a = alpha - 1 the last two terms are h(a) = a ln a - (1+a) ln(1+a), so at a fixed alpha both directions are closed
// forms without an exponential: epsilon = alpha rho + c and rho = (epsilon - c) / alpha, c = (ln(1/delta) + h(a)) / a.
// Every alpha is sound. A search in doubles finds a good one; the answer is then evaluated at that alpha, a dyadic
// rational, in integers with outward rounding at each step, so no floating-point error can reach it.

/** ln of the smallest and largest alpha - 1 searched: outside, the best alpha no longer changes 18 decimals. */
const lowest = Math.log(2 ** -60);
const highest = Math.log(2 ** 100);

/**
 * The a at which `slope` changes from `before` to the other sign, by bisection over ln a. There is one such a: for fixed
 * epsilon and rho, ln delta is convex in alpha (second derivative 2 rho + 1/(alpha-1) - 1/alpha > 0), so the alphas that
 * reach a given epsilon (or rho) form an interval, and epsilon (or rho) has a single optimum over alpha.
 */
const optimum = (slope: (a: number) => number, before: 1 | -1): number => {
  let low = lowest;
  let high = highest;
  for (let step = 0; step < 64; step++) {
    const middle = (low + high) / 2;
    if (slope(Math.exp(middle)) * before > 0) low = middle;
    else high = middle;
  }
  return Math.exp((low + high) / 2);
};

/** a in units of 2^-bits, exactly what the rigorous evaluation uses. */
const dyadic = (a: number): bigint => {
  const exponent = Math.floor(Math.log2(a)) - 52;
  return BigInt(Math.round(a * 2 ** -exponent)) << BigInt(bits + exponent);
};

const one = 1n << BigInt(bits);

/** floor and ceiling of numerator / denominator for a positive denominator. */
const floor = (numerator: bigint, denominator: bigint): bigint => {
  const quotient = numerator / denominator;
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient;
};
const ceil = (numerator: bigint, denominator: bigint): bigint => -floor(-numerator, denominator);

/** An upper bound of c(a) = (ln(1/delta) + a ln a - (1+a) ln(1+a)) / a, in units of 2^-bits. */
const offset = (a: bigint, delta: Delta): bigint => {
  const surprise = ln(delta.denominator, delta.numerator).high;
  const gain = ceil(a * ln(a, one).high, one);
  const loss = floor((one + a) * ln(one + a, one).low, one);
  return ceil((surprise + gain - loss) * one, a);
};

export type Delta = { readonly numerator: bigint; readonly denominator: bigint; readonly surprise: number };

export const checkedDelta = (value: number | string): Delta => {
  const { numerator, denominator } = decimal(value, 'delta');
  if (numerator <= 0n || numerator >= denominator)
    throw new InputError(`delta: must be above 0 and below 1, got ${value}`);
  const { high } = ln(denominator, numerator);
  return { numerator, denominator, surprise: Number(high) / 2 ** bits };
};

/**
 * The least epsilon, rounded up, for which rho-zCDP gives (epsilon, delta)-DP by the bound above. Zero loss is zero epsilon.
 */
export const epsilonOf = (rho: Amount, delta: number | string): Amount => {
  const d = checkedDelta(delta);
  if (rho === zeroAmount) return zeroAmount;
  const r = amountToNumber(rho);
  // d epsilon / d a = rho - (ln(1/delta) - ln(1+a)) / a^2
  const a = dyadic(optimum((x) => r * x * x + Math.log1p(x) - d.surprise, -1));
  // alpha rho in units of 2^-bits times amountScale, then everything over amountScale at once.
  const scaled = (one + a) * rho + offset(a, d) * amountScale;
  const epsilon = ceil(scaled, one);
  return (epsilon > 0n ? epsilon : 0n) as Amount;
};

/**
 * The largest rho, rounded down, for which rho-zCDP gives (epsilon, delta)-DP by the bound above; 0 when that is below
 * 1e-18. `epsilonOf` of the result is never above epsilon.
 */
export const rhoOf = (epsilon: Amount, delta: number | string): Amount => {
  const d = checkedDelta(delta);
  const e = amountToNumber(epsilon);
  // a^2 (1+a)^2 times d rho / d a
  const slope = (x: number) => (1 + 2 * x) * (d.surprise - Math.log1p(x)) - x * x * (Math.log1p(1 / x) + e);
  const a = dyadic(optimum(slope, 1));
  let rho = floor(epsilon * one - offset(a, d) * amountScale, one + a);
  // The other direction picks its own alpha and rounds the other way; give up the last units on which they may differ.
  while (rho > 0n) {
    const excess = epsilonOf(rho as Amount, delta) - epsilon;
    if (excess <= 0n) break;
    rho -= excess;
  }
  return (rho > 0n ? rho : 0n) as Amount;
};
