import { larger } from '../sensitivity/larger.js';
import type { ColumnPair } from './column-pair.js';
import type { Span } from './span.js';

/** What sensitivities need to know of one block over an attribute: see docs/queries.md for the derivation of each. */
export interface BlockProfile {
  /** The largest L1 norm and the largest squared L2 norm of a column; one column attains both. */
  readonly l1: bigint;
  readonly l2Squared: bigint;
  /** Between which entries each row lies, without rows that lie within another's: the widest are found among these. */
  readonly spans: readonly Span[];
  /** Pairs of columns (possibly twice the same) among which the farthest pair of any product is found. */
  readonly pairsL1: readonly ColumnPair[];
  readonly pairsL2: readonly ColumnPair[];
  /** False when a pair is a bound that no two columns need attain. */
  readonly exact: boolean;
  /**
   * Whether what two columns share in L1 is multiplied exactly by any other block's, as for entries 0 and 1. Of several blocks for
   * which it is not, the farthest pair of their product is a bound.
   */
  readonly multiplies: boolean;
}

export const pair = (u: bigint, v: bigint, both: bigint): ColumnPair => ({ u, v, both });

/** A matrix of zeros and ones: there L1 and squared L2 are the same number. */
export const binary = (pairs: readonly ColumnPair[], low: bigint, exact = true): BlockProfile => {
  const norm = pairs.reduce((most, { u }) => larger(u, most), 0n);
  return {
    l1: norm,
    l2Squared: norm,
    spans: [{ low, high: 1n }],
    pairsL1: pairs,
    pairsL2: pairs,
    exact,
    multiplies: true,
  };
};

/** Every column is the single one. */
export const constant = binary([pair(1n, 1n, 1n)], 1n);
