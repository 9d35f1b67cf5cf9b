import type { Sensitivity } from '../../query/sensitivity/sensitivity.js';
import type { Random } from '../../random/random.js';
import type { Amount } from '../accounting/amount.js';
import type { ChargeKind } from '../accounting/charge-kind.js';
import type { Currency } from '../accounting/currency.js';
import type { Entropy } from '../entropy.js';
import type { Rational } from '../rational.js';

/**
 * All that surmise knows of one kind of noise. A law has one exact *parameter*, a fraction, from which the noise is drawn and charged; what
 * people and estimates see is its *scale*, a double.
 */
export interface NoiseKind<Terms> extends ChargeKind<Terms> {
  /** What people call it. */
  readonly name: string;
  /** How its scale and the norm of its sensitivity are written. */
  readonly symbol: string;
  readonly norm: string;

  // Exact: drawing and charging.

  /** The terms of a charge: the sensitivity, then the parameter. */
  readonly members: readonly [sensitivity: keyof Terms & string, parameter: keyof Terms & string];
  /**
   * Adds to each count an independent whole number drawn from the law, exactly. Takes whole counts below 2^53 in size and returns such,
   * in a new array; refuses others, and noisy counts that would not be.
   */
  add(counts: Float64Array, parameter: Rational, entropy: Entropy): Float64Array;
  /** What the cost grows with: the norm of the change between neighbours, in the power at which two changes cost twice as much as one. */
  sensitivityIn(answers: Sensitivity): bigint;
  /** The least noise that `share` buys on such a sensitivity: its cost is at most `share`. */
  termsFor(share: Amount, sensitivity: Rational, currency: Currency): Terms;

  // In doubles: for estimates and for people.

  /** The scale of a parameter, and the norm that a sensitivity stands for. */
  scaleOf(parameter: Rational): number;
  normOf(sensitivity: Rational): number;
  /** Of one answer with noise of this scale, in records. */
  deviation(scale: number): number;
  variance(scale: number): number;
  /** The expected absolute size of the noise. */
  expectedError(scale: number): number;
  /** The law stays within so many standard deviations with probability 95%. */
  readonly reach: number;
  /** The variance of noise^2 / variance. */
  readonly scatter: number;
  /** About the largest of so many draws at scale 1. */
  largestOf(draws: number): number;
  /** One draw of the continuous law of scale 1: for simulations only, it protects nobody. */
  simulate(random: Random): number;
}
