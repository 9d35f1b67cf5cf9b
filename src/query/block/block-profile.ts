import { larger } from '../sensitivity/larger.js';
import type { ColumnPair } from './column-pair.js';

/** What sensitivities need to know of one block over an attribute: see docs/queries.md for the derivation of each. */
export interface BlockProfile {
  /** The largest L1 norm and the largest squared L2 norm of a column; one column attains both. */
  readonly l1: bigint;
  readonly l2Squared: bigint;
  /** Largest entry of the matrix, and the least entry in that row (of all rows with this largest entry, the least). */
  readonly high: bigint;
  readonly low: bigint;
  /** Pairs of columns (possibly twice the same) among which the farthest pair of any product is found. */
  readonly pairsL1: readonly ColumnPair[];
  readonly pairsL2: readonly ColumnPair[];
  /** False when a pair is a bound that no two columns need attain. */
  readonly exact: boolean;
}

export const pair = (u: bigint, v: bigint, both: bigint): ColumnPair => ({ u, v, both });

/** A matrix of zeros and ones: there L1 and squared L2 are the same number. */
export const binary = (pairs: readonly ColumnPair[], low: bigint, exact = true): BlockProfile => {
  const norm = pairs.reduce((most, { u }) => larger(u, most), 0n);
  return { l1: norm, l2Squared: norm, high: 1n, low, pairsL1: pairs, pairsL2: pairs, exact };
};

/** Every column is the single one. */
export const constant = binary([pair(1n, 1n, 1n)], 1n);
