import type { Block } from './block.js';
import { type ColumnPair, unbeaten } from './column-pair.js';
import { larger } from './larger.js';

/** What sensitivities need to know of one block over an attribute: see docs/queries.md for the derivation of each. */
export interface BlockProfile {
  /** The largest L1 norm and the largest squared L2 norm of a column; one column attains both. */
  readonly l1: bigint;
  readonly l2Squared: bigint;
  /** Largest entry of the matrix, and the least entry in that row (of all rows with this largest entry, the least). */
  readonly high: bigint;
  readonly low: bigint;
  /** The pairs of columns (a column with itself included) among which the farthest pair of any product is found. */
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
/** Every column is a unit vector, and there are two. */
const units = binary([pair(1n, 1n, 1n), pair(1n, 1n, 0n)], 0n);
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

/** Columns of a list of ranges that differ are at most this many for all pairs of them to be looked at. */
const maxSegments = 1024;

const ofRanges = (ranges: readonly (readonly [number, number])[], size: number): BlockProfile => {
  // Cells between two neighbouring ends of ranges have the same column: one segment.
  const starts = [...new Set([0, ...ranges.flatMap(([low, high]) => [low, high + 1])])]
    .filter((cell) => cell < size)
    .sort((a, b) => a - b);
  const segmentOf = new Map(starts.map((cell, index) => [cell, index]));
  const count = starts.length;
  const low = ranges.some(([low, high]) => low > 0 || high < size - 1) ? 0n : 1n;
  const ends = ranges.map(([low, high]) => [segmentOf.get(low)!, (segmentOf.get(high + 1) ?? count) - 1] as const);
  if (count > maxSegments) {
    const change = new Float64Array(count + 1);
    for (const [first, last] of ends) {
      change[first]++;
      change[last + 1]--;
    }
    let covering = 0;
    let most = 0;
    for (const step of change) {
      covering += step;
      most = Math.max(most, covering);
    }
    return binary([pair(BigInt(most), BigInt(most), 0n)], low, false);
  }
  // covering[x, y]: how many ranges hold both segments x <= y, that is, start at x or before and end at y or behind.
  const covering = new Float64Array((count + 1) * (count + 1));
  const at = (x: number, y: number) => (x + 1) * (count + 1) + y;
  for (const [first, last] of ends) covering[at(first, last)]++;
  for (let x = 0; x < count; x++)
    for (let y = count - 1; y >= 0; y--)
      covering[at(x, y)] += covering[at(x - 1, y)] + covering[at(x, y + 1)] - covering[at(x - 1, y + 1)];
  const pairs: ColumnPair[] = [];
  for (let x = 0; x < count; x++)
    for (let y = x; y < count; y++) {
      const [u, v, both] = [covering[at(x, x)], covering[at(y, y)], covering[at(x, y)]].map(BigInt);
      pairs.push(pair(u, v, both), pair(v, u, both));
    }
  return binary(unbeaten(pairs), low);
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
    case 'ranges':
      return ofRanges(block.ranges, size);
    case 'mean':
      return rising([last]);
    case 'moments':
      return rising(Array.from({ length: block.count }, (_, power) => last ** BigInt(power + 1)));
  }
};
