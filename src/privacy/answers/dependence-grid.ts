import { InputError } from '../../domain/input-error.js';

/*
 * c ln c in whole units, as a sum of increments: f(c) = g(0) + ... + g(c - 1), where g(t) stands for (t+1) ln(t+1) - t ln t, which
 * grows with t. Two things matter to privacy, and both hold whatever the logarithm of this machine is: the increments are integers
 * that never fall, and none is above `largest`. Their accuracy matters only to the sharper bounds of `dependenceSensitivity`.
 *
 * Each t below 2^16 has an increment of its own; from there on 2^15 of them share an octave, so that a table of any length takes
 * little memory. An increment is rounded up, from its value at the first t that has it; from the bound `rows` on, all are the largest.
 */
const ownBits = 16;
const own = 2 ** ownBits;
const perOctave = own / 2;
const mostRows = 2 ** 35;
/** No finer unit is of use: a record moves n I by several nats. */
const finest = 16;
/** Sums of increments of up to 64 times as many records as expected then stay within the integers of doubles. */
const mostBits = 44;

/** c ln c on a grid, for any count c. */
export interface DependenceGrid {
  /** The number of records up to which increments still grow. */
  readonly rows: number;
  /** Units of one nat, a power of two. */
  readonly units: number;
  /** The largest increment: how much f grows by one record at most. */
  readonly largest: number;
  /** f(count) in units: an integer, and exact while count x largest is at most 2^51. */
  sum(count: number): number;
  /** f(count), whatever the count. */
  exactSum(count: number): bigint;
}

/** How often t must be halved to be below 2^16. */
const halvings = (t: number): number => {
  let shift = 0;
  for (let edge = own; t >= edge; edge *= 2) shift++;
  return shift;
};

const blockOf = (t: number): number => {
  if (t < own) return t;
  const shift = halvings(t);
  return shift * perOctave + Math.floor(t / 2 ** shift);
};

const firstOf = (block: number): number => {
  if (block < own) return block;
  const shift = Math.floor((block - own) / perOctave) + 1;
  return (block - shift * perOctave) * 2 ** shift;
};

/** (t+1) ln(t+1) - t ln t in nats. */
export const increment = (t: number): number => (t === 0 ? 0 : t * Math.log1p(1 / t) + Math.log(t + 1));

export const dependenceGrid = (rows: number): DependenceGrid => {
  if (!(Number.isSafeInteger(rows) && rows >= 2 && rows <= mostRows))
    throw new InputError(
      `rows: must be a whole number from 2 to ${mostRows}, got ${rows}; give a bound on the number of records that is public`,
    );
  const units = 2 ** Math.min(finest, Math.floor(mostBits - Math.log2(rows * increment(rows))));
  const blocks = blockOf(rows - 1) + 1;
  const increments = new Float64Array(blocks);
  /** f at the first count of each block, and behind the last one. */
  const sums = new Float64Array(blocks + 1);
  for (let block = 0; block < blocks; block++) {
    const first = firstOf(block);
    // Never below the one before, whatever the logarithm.
    const value = Math.ceil(units * increment(first));
    increments[block] = block === 0 ? 0 : Math.max(increments[block - 1], value);
    sums[block + 1] = sums[block] + (firstOf(block + 1) - first) * increments[block];
  }
  const end = firstOf(blocks);
  const largest = increments[blocks - 1];
  const within = (count: number): number => {
    const block = blockOf(count);
    return sums[block] + (count - firstOf(block)) * increments[block];
  };
  return {
    rows,
    units,
    largest,
    sum: (count) => (count < end ? within(count) : sums[blocks] + (count - end) * largest),
    exactSum: (count) =>
      count < end ? BigInt(within(count)) : BigInt(sums[blocks]) + BigInt(count - end) * BigInt(largest),
  };
};
