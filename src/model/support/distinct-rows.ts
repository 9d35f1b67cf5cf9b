import type { CodeColumn, Table } from '../../domain/table.js';
import { codeColumn } from '../../domain/table.js';
import { atOnce, type Turns } from '../../domain/turns.js';

export interface DistinctRows {
  readonly columns: readonly CodeColumn[];
  readonly length: number;
  /** How many rows of the table each distinct row stands for, or what these count for together. */
  readonly counts: Float64Array;
}

/**
 * The distinct rows of a table in order of first appearance, each row counting for its weight, or for 1. One pass with an
 * open-addressing hash table.
 */
export const distinctRows = (table: Table, weights?: ArrayLike<number>): DistinctRows =>
  atOnce(findingDistinct(table, weights));

/** Rows that are looked at in a turn. */
const turn = 2 ** 13;

/** The same in turns. */
export function* findingDistinct({ domain, columns, length }: Table, weights?: ArrayLike<number>): Turns<DistinctRows> {
  let slots = 16;
  while (slots < 2 * length) slots *= 2;
  /** Number of a distinct row plus one; 0 is empty. */
  const seen = new Uint32Array(slots);
  const first = new Uint32Array(length);
  const counts = new Float64Array(length);
  let distinct = 0;
  const same = (a: number, b: number): boolean => {
    for (const column of columns) if (column[a] !== column[b]) return false;
    return true;
  };
  for (let row = 0; row < length; row++) {
    if (row % turn === 0) yield;
    let hash = 0x811c9dc5;
    for (const column of columns) hash = Math.imul(hash ^ column[row], 0x01000193) ^ (hash >>> 15);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    let slot = (hash ^ (hash >>> 13)) & (slots - 1);
    while (seen[slot] !== 0 && !same(first[seen[slot] - 1], row)) slot = (slot + 1) & (slots - 1);
    if (seen[slot] === 0) {
      first[distinct] = row;
      seen[slot] = ++distinct;
    }
    counts[seen[slot] - 1] += weights === undefined ? 1 : weights[row];
  }
  return {
    length: distinct,
    counts: counts.slice(0, distinct),
    columns: columns.map((column, attribute) => {
      const kept = codeColumn(domain.attributes[attribute].size, distinct);
      for (let i = 0; i < distinct; i++) kept[i] = column[first[i]];
      return kept;
    }),
  };
}
