import { columnsOf } from '../domain/count-rows.js';
import { cellsOf, type Domain } from '../domain/domain.js';
import type { CodeColumn } from '../domain/table.js';
import type { Marginal } from './marginal.js';

/** Distinct public rows of which a mixture may be made; a `Support` is one, and so is a table without repeated rows. */
export interface MixtureRows {
  readonly domain: Domain;
  readonly length: number;
  readonly columns: readonly CodeColumn[];
}

/** Which cell of each marginal each row falls into: cells of all marginals are numbered through. */
export interface RowCells {
  /** Cell of row r in marginal m: `cells[r * marginals + m]`. */
  readonly cells: Uint32Array;
  readonly marginals: number;
  readonly rows: number;
  /** Number of cells of all marginals. */
  readonly count: number;
}

/** The cells of all rows: 4 bytes for each row and marginal. */
export const rowCells = ({ domain, length, columns }: MixtureRows, marginals: readonly Marginal[]): RowCells => {
  const cells = new Uint32Array(length * marginals.length);
  let start = 0;
  for (const [m, { attributes }] of marginals.entries()) {
    const parts = columnsOf({ domain, columns }, attributes);
    for (let row = 0; row < length; row++) {
      let cell = 0;
      for (const { column, size } of parts) cell = cell * size + column[row];
      cells[row * marginals.length + m] = start + cell;
    }
    start += cellsOf(domain, attributes);
  }
  return { cells, marginals: marginals.length, rows: length, count: start };
};
