import { InputError } from '../../domain/input-error.js';
import { type CodeColumn, codeColumn } from '../../domain/table.js';
import { roundedCounts } from '../../model/rounded-counts.js';
import type { Support } from '../../model/support/support.js';
import type { Random } from '../../random/random.js';
import { neighbourOrder } from './neighbour-order.js';

/** Equally likely rows that stand for a distribution, neighbours side by side. */
export interface RowPool {
  /** The pool as a support of its own; a row may come more than once. */
  readonly support: Support;
  /** Which row of the distribution each row of the pool is. */
  readonly rows: Uint32Array;
}

/** `count` row numbers, ascending, as near to the weights as whole numbers can be. */
export const drawRows = (weights: Float64Array, count: number, random: Random): Uint32Array => {
  const rows = new Uint32Array(count);
  let next = 0;
  roundedCounts(weights, count, random).forEach((copies, row) => {
    for (let copy = 0; copy < copies; copy++) rows[next++] = row;
  });
  return rows;
};

/**
 * Lets `size` rows stand for a distribution of more. Groups with far fewer records than that lose nothing that their records
 * could show when they are fitted on the pool, and systematic draws along it are well spread (`neighbourOrder`).
 */
export const rowPool = ({ domain, columns, weights }: Support, size: number, random: Random): RowPool => {
  if (!Number.isSafeInteger(size) || size < 1) throw new InputError(`pool: must be a positive integer, got ${size}`);
  const drawn = drawRows(weights, size, random);
  const at = (rows: Uint32Array): CodeColumn[] =>
    columns.map((column, a) => {
      const target = codeColumn(domain.attributes[a].size, size);
      rows.forEach((row, i) => {
        target[i] = column[row];
      });
      return target;
    });
  const rows = neighbourOrder({ columns: at(drawn), length: size }).map((i) => drawn[i]);
  const even = new Float64Array(size).fill(1 / size);
  return { rows, support: { domain, length: size, columns: at(rows), weights: even } };
};
