import type { Relation } from '../../query/relation.js';
import { type DependenceGrid, increment } from './dependence-grid.js';

/** Two lists of attributes without a common one, by their numbers of cells. */
export type Sides = readonly [of: number, on: number];

/** Scores further from 0 are clamped, which moves no two further apart. */
const largestScore = 2 ** 52;

/**
 * n I(X; Y), the mutual information of two lists of attributes in nats times the number of records, in units of the grid: f(n) + the sum of
 * f over the cells of both - the sums over the cells of each. `counts` are those of both, the cells of the second varying fastest. An
 * integer, and exact.
 */
export const dependenceScore = (counts: Float64Array, [of, on]: Sides, grid: DependenceGrid): number => {
  const ofCounts = new Float64Array(of);
  const onCounts = new Float64Array(on);
  let records = 0;
  for (let x = 0, cell = 0; x < of; x++) {
    let sum = 0;
    for (let y = 0; y < on; y++, cell++) {
      sum += counts[cell];
      onCounts[y] += counts[cell];
    }
    ofCounts[x] = sum;
    records += sum;
  }
  // f is convex, so that no sum over cells is above f(n), and f(n) is at most n times the largest increment.
  return records * grid.largest <= 2 ** 51
    ? plainScore(counts, ofCounts, onCounts, records, grid)
    : bigScore(counts, ofCounts, onCounts, records, grid);
};

const plainScore = (
  both: Float64Array,
  of: Float64Array,
  on: Float64Array,
  records: number,
  grid: DependenceGrid,
): number => {
  const sumOf = (counts: Float64Array): number => {
    let sum = 0;
    for (let i = 0; i < counts.length; i++) if (counts[i] > 0) sum += grid.sum(counts[i]);
    return sum;
  };
  return grid.sum(records) - sumOf(of) - sumOf(on) + sumOf(both);
};

const bigScore = (
  both: Float64Array,
  of: Float64Array,
  on: Float64Array,
  records: number,
  grid: DependenceGrid,
): number => {
  const sumOf = (counts: Float64Array): bigint => counts.reduce((sum, count) => sum + grid.exactSum(count), 0n);
  const score = Number(grid.exactSum(records) - sumOf(of) - sumOf(on) + sumOf(both));
  return Math.max(-largestScore, Math.min(largestScore, score));
};

/** Whom a score protects. */
export interface Neighbours {
  readonly relation: Relation;
  /** Rows of a unit at most. */
  readonly maxRecords: number;
  /** Whether neighbours have equally many records, each unit one, and no more than the grid's `rows`. */
  readonly sameRows: boolean;
}

/**
 * How far neighbours can move the score of any of these pairs, in units (docs/privacy.md has the proofs): `largest` for a record
 * that is added or removed; where a record takes another's place among at most `rows`, Lemma 4.1 of PrivBayes (Zhang et al. 2017) and
 * what the rounding can add, which is half as much where one of the two lists has at most two cells.
 */
export const dependenceSensitivity = (
  grid: DependenceGrid,
  sides: readonly Sides[],
  { relation, maxRecords, sameRows }: Neighbours,
): number => {
  const { rows, units, largest } = grid;
  if (relation === 'add-remove') return maxRecords * largest;
  const always = 2 * maxRecords * largest;
  if (!sameRows || maxRecords > 1) return always;
  // Increments are rounded up by less than 1, and an octave's share starts less than 2^-15 nats lower; 1 more is for the logarithm's own error.
  const shared = Math.ceil(units * 2 ** -15);
  const binary = sides.every((pair) => Math.min(...pair) <= 2);
  const moved = binary ? largest + 2 * shared + 2 : Math.ceil(2 * units * increment((rows - 1) / 2)) + shared + 3;
  return Math.min(always, moved);
};
