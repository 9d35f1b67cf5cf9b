import { InputError } from '../../domain/input-error.js';
import type { Rational } from '../rational.js';
import { type Amount, addAmounts, formatAmount, toAmount, zeroAmount } from './amount.js';

/** What privacy loss is counted in: epsilons of pure differential privacy, or rhos of zero-concentrated (zCDP). */
export type Currency = 'pure' | 'zcdp';

/**
 * What a primitive did, in the numbers its guarantee depends on. A mechanism never states a cost: the session writes down
 * the charges of the primitives it ran and `costOf` prices them.
 */
export type Charge =
  /** Discrete Gaussian noise of parameter sigma^2 on a vector of counts with this squared L2 sensitivity. */
  | { readonly kind: 'gaussian'; readonly sensitivitySquared: Rational; readonly sigmaSquared: Rational }
  /** Discrete Laplace noise of this scale on a vector of counts with this L1 sensitivity. */
  | { readonly kind: 'laplace'; readonly sensitivity: Rational; readonly scale: Rational }
  /** One selection by the exponential mechanism, probabilities proportional to exp(epsilon score / (2 sensitivity)). */
  | { readonly kind: 'exponential'; readonly epsilon: Rational }
  /** One selection by permute-and-flip with the same epsilon. */
  | { readonly kind: 'permute-and-flip'; readonly epsilon: Rational }
  /** Groups over disjoint units, each with the charges made on it in sequence; the dearest group is what all cost. */
  | { readonly kind: 'parallel'; readonly groups: readonly (readonly Charge[])[] };

const ratio = (numerator: bigint, denominator: bigint): Amount => toAmount({ numerator, denominator }, 'up');

const positive = (value: Rational, subject: string): Rational => {
  if (value.numerator <= 0n || value.denominator <= 0n)
    throw new InputError(`${subject}: must be positive, got ${value.numerator}/${value.denominator}`);
  return value;
};

/** Loss of an epsilon-DP step: epsilon itself, or `epsilon^2 / divisor` in rho. */
const pureStep = (top: bigint, bottom: bigint, currency: Currency, divisor: bigint): Amount =>
  currency === 'pure' ? ratio(top, bottom) : ratio(top * top, divisor * bottom * bottom);

/**
 * The cost of one charge, exact in rationals and then rounded up to the next 1e-18. In rho: Gaussian S^2/(2 sigma^2) and
 * an epsilon-DP step epsilon^2/2 (Bun, Steinke 2016, Propositions 1.6 and 1.4); the exponential mechanism epsilon^2/8,
 * because its privacy loss has bounded range (Cesar, Rogers 2021); permute-and-flip has not, so epsilon^2/2.
 * A Gaussian has no pure cost and is refused in that currency.
 */
export const costOf = (charge: Charge, currency: Currency): Amount => {
  switch (charge.kind) {
    case 'gaussian': {
      if (currency === 'pure')
        throw new InputError(
          'budget: Gaussian noise has no pure epsilon, got a budget without delta; use Laplace noise or give a delta',
        );
      const s = positive(charge.sensitivitySquared, 'squared sensitivity');
      const v = positive(charge.sigmaSquared, 'sigma squared');
      return ratio(s.numerator * v.denominator, 2n * s.denominator * v.numerator);
    }
    case 'laplace': {
      const s = positive(charge.sensitivity, 'sensitivity');
      const b = positive(charge.scale, 'scale');
      return pureStep(s.numerator * b.denominator, s.denominator * b.numerator, currency, 2n);
    }
    case 'exponential':
    case 'permute-and-flip': {
      const e = positive(charge.epsilon, 'epsilon');
      return pureStep(e.numerator, e.denominator, currency, charge.kind === 'exponential' ? 8n : 2n);
    }
    case 'parallel': {
      let most = zeroAmount;
      for (const group of charge.groups) {
        const cost = costOfAll(group, currency);
        if (cost > most) most = cost;
      }
      return most;
    }
  }
};

/** The cost of charges made one after the other: the exact sum of their costs. */
export const costOfAll = (charges: readonly Charge[], currency: Currency): Amount =>
  charges.reduce((sum, charge) => addAmounts(sum, costOf(charge, currency)), zeroAmount);

/** An amount in the words of its currency, such as `rho 0.05`. */
export const describeAmount = (amount: Amount, currency: Currency): string =>
  `${currency === 'pure' ? 'epsilon' : 'rho'} ${formatAmount(amount)}`;
