import { codesAt } from '../../domain/cell-index.js';
import { indexOf } from '../../domain/domain.js';
import type { CodeColumn } from '../../domain/table.js';
import type { Support } from '../../model/support/support.js';

/** Finds the rows of a support that fall into one cell of a marginal. */
export type RowFinder = (attributes: readonly string[], cell: number) => Uint32Array;

/**
 * Lists the rows of every cell of the named attributes, all by default, once (4 bytes a row and attribute); the rows of a joint cell
 * are then the shortest list of its attributes, sifted by the others. In ascending order, a new array.
 */
export const rowFinder = (
  { domain, columns, length }: Support,
  names: readonly string[] = domain.attributes.map(({ name }) => name),
): RowFinder => {
  const lists = new Map(
    names.map((name) => {
      const index = indexOf(domain, name);
      return [name, { ...listRows(columns[index], domain.attributes[index].size), column: columns[index] }] as const;
    }),
  );
  return (attributes, cell) => {
    if (attributes.length === 0) return Uint32Array.from({ length }, (_, row) => row);
    const named = attributes.map((name) => lists.get(name)!);
    const codes = codesAt(
      cell,
      named.map(({ starts }) => starts.length - 1),
    );
    const wanted = named.map(({ rows, starts, column }, i) => {
      const code = codes[i];
      return { list: rows.subarray(starts[code], starts[code + 1]), column, code };
    });
    const [{ list }, ...others] = wanted.sort((a, b) => a.list.length - b.list.length);
    const found = list.slice();
    let count = found.length;
    for (const { column, code } of others) {
      let kept = 0;
      for (let i = 0; i < count; i++) {
        const row = found[i];
        found[kept] = row;
        if (column[row] === code) kept++;
      }
      count = kept;
    }
    return found.slice(0, count);
  };
};

/** Rows by code, and where those of each code start. */
const listRows = (column: CodeColumn, size: number): { rows: Uint32Array; starts: Uint32Array } => {
  const starts = new Uint32Array(size + 1);
  for (let row = 0; row < column.length; row++) starts[column[row] + 1]++;
  for (let code = 0; code < size; code++) starts[code + 1] += starts[code];
  const next = starts.slice();
  const rows = new Uint32Array(column.length);
  for (let row = 0; row < column.length; row++) rows[next[column[row]]++] = row;
  return { rows, starts };
};
