import { InputError } from '../domain/input-error.js';
import { codeColumn, type Table } from '../domain/table.js';
import { atOnce, type Turns } from '../domain/turns.js';
import type { Arena } from './arena.js';
import type { JobColumn } from './job.js';

/**
 * Copies the columns of a table, or some of its rows, into kernel memory, each in the narrowest type. Every code is
 * checked against the number of cells: the kernels trust it. Cost: one pass, and as many bytes as the codes take.
 */
export const loadColumns = (table: Table, rows: Uint32Array | undefined, arena: Arena): JobColumn[] =>
  atOnce(loadingColumns(table, rows, arena));

/** Codes that are looked at in a turn. */
const turn = 2 ** 20;

/** The same in turns. */
export function* loadingColumns(table: Table, rows: Uint32Array | undefined, arena: Arena): Turns<JobColumn[]> {
  const { attributes } = table.domain;
  if (table.columns.length !== attributes.length)
    throw new InputError(
      `table: must have ${attributes.length} columns, one for each attribute, got ${table.columns.length}`,
    );
  const length = rows?.length ?? table.length;
  const loaded: JobColumn[] = [];
  for (const [index, { name, size }] of attributes.entries()) {
    const column = table.columns[index];
    if (column.length !== table.length)
      throw new InputError(`column ${name}: must have ${table.length} codes, got ${column.length}`);
    for (let row = 0; row < column.length; row++) {
      if (row % turn === 0) yield;
      if (column[row] >= size)
        throw new InputError(`column ${name}: codes must be below ${size}, row ${row + 1} is not`);
    }
    const bytes = codeColumn(size, 0).BYTES_PER_ELEMENT;
    const region = bytes === 1 ? arena.u8(length) : bytes === 2 ? arena.u16(length) : arena.u32(length);
    const target = region.view;
    if (rows) for (let i = 0; i < length; i++) target[i] = column[rows[i]];
    else target.set(column);
    loaded.push({ address: region.address, bytes, size });
  }
  return loaded;
}
