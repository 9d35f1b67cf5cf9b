import type { BlockProfile } from './block-profile.js';
import { type ColumnPair, unbeaten } from './column-pair.js';
import { widestSpans } from './span.js';

/** Pairs are looked at one by one up to this many multiplications; beyond, one bound stands for them all. */
const maxWork = 2 ** 29;
/** Candidates that are gathered before those that are beaten are dropped. */
const gathered = 2 ** 14;

interface Column {
  readonly rows: readonly number[];
  readonly entries: readonly number[];
}

const columnsOf = (matrix: readonly (readonly number[])[], size: number): Column[] =>
  Array.from({ length: size }, (_, cell) => {
    const rows: number[] = [];
    for (let row = 0; row < matrix.length; row++) if (matrix[row][cell] !== 0) rows.push(row);
    return { rows, entries: rows.map((row) => matrix[row][cell]) };
  });

/** What two columns share, given a measure of what two entries that are not zero share. */
type Shared = (x: number, y: number) => number;

const inner: Shared = (x, y) => x * y;
/** So that |x - y| = |x| + |y| - 2 shared: nothing where the signs differ. */
const overlap: Shared = (x, y) => (x > 0 === y > 0 ? Math.min(Math.abs(x), Math.abs(y)) : 0);

/** All unbeaten pairs in doubles: sums must stay below 2^53. */
const pairsOf = (columns: readonly Column[], rows: number, shared: Shared): ColumnPair[] => {
  const norms = columns.map(({ entries }) => entries.reduce((sum, entry) => sum + shared(entry, entry), 0));
  const dense = new Float64Array(rows);
  let found: ColumnPair[] = [];
  // Most pairs are beaten by the last one that was not: cheaper to ask first.
  let last = { u: -1, v: -1, both: 0 };
  columns.forEach((column, a) => {
    column.rows.forEach((row, i) => {
      dense[row] = column.entries[i];
    });
    for (let b = a; b < columns.length; b++) {
      const other = columns[b];
      let both = 0;
      for (let i = 0; i < other.rows.length; i++) {
        const entry = dense[other.rows[i]];
        if (entry !== 0) both += shared(entry, other.entries[i]);
      }
      const [u, v] = [norms[a], norms[b]];
      if (Math.min(last.u, last.v) >= Math.max(u, v) && last.both <= both) continue;
      last = { u, v, both };
      const [x, y, z] = [BigInt(u), BigInt(v), BigInt(both)];
      found.push({ u: x, v: y, both: z }, { u: y, v: x, both: z });
    }
    if (found.length > gathered) found = unbeaten(found);
    for (const row of column.rows) dense[row] = 0;
  });
  return unbeaten(found);
};

const normsOf = (columns: readonly Column[]): { l1: bigint; l2Squared: bigint } => {
  let [l1, l2Squared] = [0n, 0n];
  for (const { entries } of columns) {
    let [sum, squares] = [0n, 0n];
    for (const entry of entries) {
      const size = BigInt(Math.abs(entry));
      sum += size;
      squares += size * size;
    }
    if (sum > l1) l1 = sum;
    if (squares > l2Squared) l2Squared = squares;
  }
  return { l1, l2Squared };
};

/**
 * What sensitivities need to know of a matrix of any integers; docs/queries.md, "Any integers". Where entries or columns are too many
 * or too large for an exact answer at a moderate price, the pairs are the bounds that always hold: two columns share nothing in
 * L1, and one is the other's opposite in L2.
 */
export const matrixProfile = (matrix: readonly (readonly number[])[], size: number): BlockProfile => {
  const columns = columnsOf(matrix, size);
  const { l1, l2Squared } = normsOf(columns);
  const entries = columns.reduce((sum, column) => sum + column.rows.length, 0);
  const exact = entries * size <= maxWork && l2Squared <= BigInt(Number.MAX_SAFE_INTEGER);
  const spans = widestSpans(
    matrix.map((row) => {
      const [low, high] = row.reduce(([a, b], entry) => [Math.min(a, entry), Math.max(b, entry)], [row[0], row[0]]);
      return { low: BigInt(low), high: BigInt(high) };
    }),
  );
  return {
    l1,
    l2Squared,
    spans,
    pairsL1: exact ? pairsOf(columns, matrix.length, overlap) : [{ u: l1, v: l1, both: 0n }],
    pairsL2: exact ? pairsOf(columns, matrix.length, inner) : [{ u: l2Squared, v: l2Squared, both: -l2Squared }],
    exact,
    multiplies: matrix.every((row) => new Set(row.filter((entry) => entry !== 0)).size < 2),
  };
};
