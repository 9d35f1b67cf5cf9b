import { InputError } from '../domain/input-error.js';
import { codeColumn, type Table } from '../domain/table.js';
import type { Arena } from './arena.js';
import type { JobColumn } from './job.js';

/**
 * Copies the columns of a table, or some of its rows, into kernel memory, each in the narrowest type. Every code is
 * checked against the number of cells: the kernels trust it. Cost: one pass, and as many bytes as the codes take.
 */
export const loadColumns = (table: Table, rows: Uint32Array | undefined, arena: Arena): JobColumn[] => {
  const { attributes } = table.domain;
  if (table.columns.length !== attributes.length)
    throw new InputError(
      `table: must have ${attributes.length} columns, one for each attribute, got ${table.columns.length}`,
    );
  const length = rows?.length ?? table.length;
  return attributes.map(({ name, size }, index) => {
    const column = table.columns[index];
    if (column.length !== table.length)
      throw new InputError(`column ${name}: must have ${table.length} codes, got ${column.length}`);
    const bad = column.findIndex((code) => code >= size);
    if (bad >= 0) throw new InputError(`column ${name}: codes must be below ${size}, row ${bad + 1} is not`);
    const bytes = codeColumn(size, 0).BYTES_PER_ELEMENT;
    const region = bytes === 1 ? arena.u8(length) : bytes === 2 ? arena.u16(length) : arena.u32(length);
    const target = region.view;
    if (rows) for (let i = 0; i < length; i++) target[i] = column[rows[i]];
    else target.set(column);
    return { address: region.address, bytes, size };
  });
};
