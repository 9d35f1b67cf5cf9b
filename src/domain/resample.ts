import type { Random } from '../random/random.js';
import { shuffle } from '../random/shuffle.js';
import { uniformInteger } from '../random/uniform.js';
import { codeColumn, type Table } from './table.js';

/** The rows of a table at these positions, in this order; a position may come more than once. A new table. */
export const rowsAt = ({ domain, columns }: Table, positions: ArrayLike<number>): Table => ({
  domain,
  length: positions.length,
  columns: columns.map((column, attribute) => {
    const target = codeColumn(domain.attributes[attribute].size, positions.length);
    for (let i = 0; i < positions.length; i++) target[i] = column[positions[i]];
    return target;
  }),
});

/** `rows` rows drawn with replacement: what another sample of that size from the same people could look like. */
export const resampled = (table: Table, rows: number, random: Random): Table =>
  rowsAt(
    table,
    Uint32Array.from({ length: rows }, () => uniformInteger(random, table.length)),
  );

/** A table's rows in two parts of equal size (the first has the odd one), dealt at random. */
export const halves = (table: Table, random: Random): readonly [Table, Table] => {
  const order = shuffle(
    Array.from({ length: table.length }, (_, row) => row),
    random,
  );
  const middle = Math.ceil(table.length / 2);
  return [rowsAt(table, order.slice(0, middle)), rowsAt(table, order.slice(middle))];
};
