import { InputError } from '../domain/input-error.js';

/** A positive fraction. Noise scales, epsilons and sensitivities are these, so that what is charged is what was drawn. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const gcd = (a: bigint, b: bigint): bigint => {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
};

/** The fraction in lowest terms; both terms must be positive. */
export const rational = (numerator: bigint | number, denominator: bigint | number = 1n): Rational => {
  if (![numerator, denominator].every((term) => typeof term === 'bigint' || Number.isSafeInteger(term)))
    throw new InputError(
      `rational: terms must be whole numbers, got ${numerator}/${denominator}; use rationalUp or rationalDown for a double`,
    );
  const n = BigInt(numerator);
  const d = BigInt(denominator);
  if (n <= 0n || d <= 0n)
    throw new InputError(`rational: terms must be positive, got ${n}/${d}; give a positive fraction`);
  const common = gcd(n, d);
  return { numerator: n / common, denominator: d / common };
};

/** Any finite double as the exact integer fraction it stands for, numerator of either sign, over a power of two. */
export const exactTerms = (x: number): readonly [numerator: bigint, denominator: bigint] => {
  let shift = 0n;
  // Doubling is exact, and 1,074 doublings make an integer of the smallest double there is.
  for (; !Number.isInteger(x); x *= 2) shift++;
  return [BigInt(x), 1n << shift];
};

/** A positive finite double as exactly the fraction it is. */
export const exactRational = (x: number): Rational => {
  if (!(x > 0 && x < Infinity))
    throw new InputError(`rational: must be a positive finite number, got ${x}; give a value above 0`);
  return rational(...exactTerms(x));
};

export const addRational = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);

export const multiplyRational = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.numerator, a.denominator * b.denominator);

export const divideRational = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator, a.denominator * b.numerator);

/** Negative, zero or positive as a is below, equal to or above b. */
export const compareRational = (a: Rational, b: Rational): number => {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

/** The nearest double or one beside it, for printing and for estimates; never on the way from a count to its noisy count. */
export const rationalNumber = ({ numerator, denominator }: Rational): number => {
  const shift = BigInt(denominator.toString(2).length - numerator.toString(2).length + 64);
  const quotient = shift >= 0n ? (numerator << shift) / denominator : numerator / (denominator << -shift);
  const power = Number(shift);
  // In two steps, since 2^-shift alone can leave the range of doubles when the value itself does not.
  return Number(quotient) * 2 ** -Math.trunc(power / 2) * 2 ** -(power - Math.trunc(power / 2));
};

/** The fraction with the smallest denominator in [low, high], by the continued fraction both ends begin with. */
export const simplestBetween = (low: Rational, high: Rational): Rational => {
  const { numerator: n, denominator: d } = low;
  const whole = n / d;
  const up = n % d === 0n ? whole : whole + 1n;
  if (up * high.denominator <= high.numerator) return { numerator: up, denominator: 1n };
  const inner = simplestBetween(
    { numerator: high.denominator, denominator: high.numerator - whole * high.denominator },
    { numerator: d, denominator: n - whole * d },
  );
  return { numerator: whole * inner.numerator + inner.denominator, denominator: inner.numerator };
};

const SLACK = 1n << 30n;

/**
 * The simplest fraction in [x, x (1 + 2^-30)]: never below the double x, compared exactly. Use it for what may only grow: noise
 * scales, sensitivities, charges. As the interval is x 2^-30 long, the denominator is at most 2^30/x rounded up, and the numerator
 * about 2^30 or x, whichever is larger: terms that the fast samplers take.
 */
export const rationalUp = (x: number): Rational => {
  const exact = exactRational(x);
  const above = { numerator: exact.numerator * (SLACK + 1n), denominator: exact.denominator * SLACK };
  return simplestBetween(exact, above);
};

/** The simplest fraction in [x (1 - 2^-30), x]: never above the double x. Use it for what may only shrink: an epsilon to spend. */
export const rationalDown = (x: number): Rational => {
  const exact = exactRational(x);
  const below = { numerator: exact.numerator * (SLACK - 1n), denominator: exact.denominator * SLACK };
  return simplestBetween(below, exact);
};
