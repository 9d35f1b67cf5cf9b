import { rowsAt } from '../../src/domain/resample.js';
import type { Table } from '../../src/domain/table.js';

export { rowsAt };

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
