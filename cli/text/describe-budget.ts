import { describeAmount, formatAmount } from '../../src/advanced.js';
import type { Budget } from '../../src/index.js';

/** The guarantee in words, such as `epsilon 1, delta 1e-9`. */
export const describeBudget = ({ epsilon, delta, total, currency }: Budget): string => {
  if (epsilon === undefined) return describeAmount(total, currency);
  return `epsilon ${formatAmount(epsilon)}${delta === undefined ? '' : `, delta ${delta}`}`;
};
