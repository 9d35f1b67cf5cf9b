import { InputError } from '../../domain/input-error.js';
import { type Amount, amountShare } from '../accounting/amount.js';
import type { Share } from './session.js';

const parts = 1_000_000_000_000;

/** The amount that a share of a budget is, rounded down; the small allowance keeps 0.1 + 0.2 from losing a part. */
export const amountOf = (total: Amount, share: Share): Amount => {
  if (!(share > 0 && share <= 1)) throw new InputError(`share: must be above 0 and at most 1, got ${share}`);
  return amountShare(total, BigInt(Math.min(parts, Math.floor(share * parts + 1e-3))), BigInt(parts));
};

/** The share that an amount is of a budget, rounded down, so that it can always be spent. */
export const shareOf = (total: Amount, amount: Amount): Share => Number((amount * BigInt(parts)) / total) / parts;

/** Divides an amount in proportion to the weights, each part rounded down. */
export const divide = (amount: Amount, weights: readonly number[]): Amount[] => {
  const largest = Math.max(...weights);
  if (!(largest > 0 && Number.isFinite(largest) && weights.every((weight) => weight > 0)))
    throw new InputError(
      'weights: must be positive numbers, got others; leave out the queries that should get nothing',
    );
  const whole = weights.map((weight) => BigInt(Math.max(1, Math.round((weight / largest) * 2 ** 40))));
  const sum = whole.reduce((total, weight) => total + weight, 0n);
  return whole.map((weight) => amountShare(amount, weight, sum));
};
