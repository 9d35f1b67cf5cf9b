import { cellsOf, type Domain, indexOf } from './domain.js';
import type { CodeColumn } from './table.js';

/** Encoded rows, weighted or not. */
export interface CountedRows {
  readonly domain: Domain;
  readonly columns: readonly CodeColumn[];
  readonly length: number;
  readonly weights?: Float64Array | undefined;
}

/** The columns of the named attributes, and their numbers of cells. */
export const columnsOf = (
  { domain, columns }: Pick<CountedRows, 'domain' | 'columns'>,
  names: readonly string[],
): { readonly column: CodeColumn; readonly size: number }[] =>
  names.map((name) => {
    const index = indexOf(domain, name);
    return { column: columns[index], size: domain.attributes[index].size };
  });

/** How many rows, or how much weight, each cell of the named attributes has, row-major in their order. One plain pass. */
export const countRows = (rows: CountedRows, names: readonly string[]): Float64Array => {
  const { domain, length, weights } = rows;
  const counts = new Float64Array(cellsOf(domain, names));
  const parts = columnsOf(rows, names);
  for (let row = 0; row < length; row++) {
    let cell = 0;
    for (const { column, size } of parts) cell = cell * size + column[row];
    counts[cell] += weights === undefined ? 1 : weights[row];
  }
  return counts;
};
