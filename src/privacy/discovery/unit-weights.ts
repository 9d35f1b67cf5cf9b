import { type Rational, rational } from '../rational.js';
import { leastReach } from './threshold.js';

/** What a unit with one value counts: noise and thresholds are in parts of it, so that its whole can be divided. */
export const wholeWeight = 256;

/** What each value counts for a unit with so many: of squares no more than the whole (Gopi et al. 2020, weighted Gaussian). */
const weightOf = (values: number): number => Math.floor(wholeWeight / Math.sqrt(values));

/** The weights for units that have 1, 2, ... values. */
export const weightsUpTo = (most: number): number[] => Array.from({ length: most }, (_, i) => weightOf(i + 1));

/** The one that was worked out last: tails are bounded in long whole numbers, and many a run asks for the same. */
let last: { readonly key: string; readonly threshold: number } | undefined;

/**
 * The noisy count that a value must have, for units of at most `most` values: those that one unit alone has pass, any of them, with a chance of
 * at most delta. A unit of n values has n chances at a count of `weightOf(n)`. From n to 2 n - 1 the largest weight and the most chances
 * are taken together: never too low, and no thousand tails to bound.
 */
export const thresholdFor = (sigmaSquared: Rational, delta: Rational, most: number): number => {
  const key = [sigmaSquared.numerator, sigmaSquared.denominator, delta.numerator, delta.denominator, most].join(' ');
  if (last?.key === key) return last.threshold;
  let threshold = 0;
  for (let first = 1; first <= most; first *= 2) {
    const chances = Math.min(most, 2 * first - 1);
    const chance = rational(delta.numerator, delta.denominator * BigInt(chances));
    threshold = Math.max(threshold, weightOf(first) + leastReach(sigmaSquared, chance));
  }
  last = { key, threshold };
  return threshold;
};
