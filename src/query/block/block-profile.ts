import { larger } from '../sensitivity/larger.js';
import type { Block } from './block.js';
import type { ColumnPair } from './column-pair.js';
import { rangePairs } from './range-pairs.js';

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

const pair = (u: bigint, v: bigint, both: bigint): ColumnPair => ({ u, v, both });

/** A matrix of zeros and ones: there L1 and squared L2 are the same number. */
const binary = (pairs: readonly ColumnPair[], low: bigint, exact = true): BlockProfile => {
  const norm = pairs.reduce((most, { u }) => larger(u, most), 0n);
  return { l1: norm, l2Squared: norm, high: 1n, low, pairsL1: pairs, pairsL2: pairs, exact };
};

/** Every column is the single one. */
const constant = binary([pair(1n, 1n, 1n)], 1n);
/** Every column is a unit vector, and there are two: equal columns are never farther apart than those. */
const units = binary([pair(1n, 1n, 0n)], 0n);
/** One row with ones and zeros. */
const indicator = binary([pair(1n, 1n, 1n), pair(1n, 0n, 0n), pair(0n, 1n, 0n)], 0n);

/** The columns rise from zero to the one of the last cell, so the farthest pairs are made of those two. */
const rising = (entries: readonly bigint[]): BlockProfile => {
  const extremes = (norm: bigint) => [pair(norm, norm, norm), pair(norm, 0n, 0n), pair(0n, norm, 0n)];
  const l1 = entries.reduce((sum, entry) => sum + entry, 0n);
  const l2Squared = entries.reduce((sum, entry) => sum + entry * entry, 0n);
  return {
    l1,
    l2Squared,
    high: entries[entries.length - 1],
    low: 0n,
    pairsL1: extremes(l1),
    pairsL2: extremes(l2Squared),
    exact: true,
  };
};

/** The profile of a block that fits an attribute of `size` cells. */
export const blockProfile = (block: Block, size: number): BlockProfile => {
  const last = BigInt(size - 1);
  switch (block.kind) {
    case 'sum':
      return constant;
    case 'keep':
      return size > 1 ? units : constant;
    case 'value':
      return size > 1 ? indicator : constant;
    case 'set':
      return block.cells.length < size ? indicator : constant;
    case 'regroup':
      return new Set(block.groups).size > 1 ? units : constant;
    case 'prefix': {
      const all = BigInt(size);
      return binary([pair(all, all, all), pair(all, 1n, 1n), pair(1n, all, 1n)], size > 1 ? 0n : 1n);
    }
    case 'ranges': {
      const { pairs, exact } = rangePairs(block.ranges, size);
      return binary(pairs, block.ranges.some(([first, last]) => first > 0 || last < size - 1) ? 0n : 1n, exact);
    }
    case 'mean':
      return rising([last]);
    case 'moments':
      return rising(Array.from({ length: block.count }, (_, power) => last ** BigInt(power + 1)));
  }
};
