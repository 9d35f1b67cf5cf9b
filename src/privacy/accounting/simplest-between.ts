import type { Rational } from '../rational.js';

/**
 * The fraction with the least denominator (and then the least numerator) in the closed interval [low, high] of positive
 * rationals: the continued fractions of the two ends agree until the answer branches off. O(log) bigint divisions.
 */
export const simplestBetween = (low: Rational, high: Rational): Rational => {
  const whole = low.numerator / low.denominator;
  const rest = low.numerator % low.denominator;
  if (rest === 0n) return { numerator: whole, denominator: 1n };
  if ((whole + 1n) * high.denominator <= high.numerator) return { numerator: whole + 1n, denominator: 1n };
  // No integer inside: both ends have the same whole part, and the reciprocals of the fractions trade places.
  const inner = simplestBetween(
    { numerator: high.denominator, denominator: high.numerator - whole * high.denominator },
    { numerator: low.denominator, denominator: rest },
  );
  return { numerator: whole * inner.numerator + inner.denominator, denominator: inner.numerator };
};
