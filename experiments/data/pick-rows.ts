import { codeColumn, type Table } from '../../src/domain/table.js';

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

/** The rows for which a condition on the row number holds, in order. */
export const rowsWhere = (table: Table, keep: (row: number) => boolean): Table => {
  const positions: number[] = [];
  for (let row = 0; row < table.length; row++) if (keep(row)) positions.push(row);
  return rowsAt(table, positions);
};

/** The table without some attributes; columns are shared, not copied. */
export const without = (table: Table, names: readonly string[]): Table => {
  const kept = table.domain.attributes.flatMap(({ name }, index) => (names.includes(name) ? [] : [index]));
  return {
    domain: { attributes: kept.map((index) => table.domain.attributes[index]) },
    length: table.length,
    columns: kept.map((index) => table.columns[index]),
  };
};
