import type { Connection } from './connection.js';
import { checkCells, type KeptRows, type KeptRowsOptions } from './kept-rows.js';
import type { SqlTable } from './sql-table.js';

/** Rows whose codes are in a table of the connection's own. */
export interface CopiedRows extends Pick<KeptRows, 'codes' | 'units'> {
  /** The number of units, where making the copy told it. */
  readonly known: number | undefined;
}

/**
 * The codes of the rows that are kept, copied once: from then on nothing reads the table itself, sorts it or computes a cell, and all answers are of the rows of the copy,
 * whatever is written meanwhile. Where the table may have changed since it was checked, the copy is checked. Ids are not in it unless somebody counts by them.
 */
export const copiedRows = async (
  connection: Connection,
  relation: SqlTable,
  rows: Pick<KeptRows, 'codes' | 'units'>,
  { domain, unit }: Pick<KeptRowsOptions, 'domain' | 'unit'>,
  signal: AbortSignal | undefined,
): Promise<CopiedRows> => {
  const every = [...domain.attributes.keys()];
  const isOfIds = unit.kind === 'id';
  const hasId = domain.households !== undefined || (isOfIds && !connection.isFixed);
  const cells = every.map((at) => ({ name: `a${at}`, cells: domain.attributes[at].size }));
  const columns = [...cells, ...(hasId ? [{ name: 'id' }] : [])];
  const kept = `SELECT ${columns.map(({ name }) => name).join(', ')} FROM (${rows.codes(every)}) AS kept`;
  const from = await connection.copy!(kept, columns, { signal });
  const codes = (attributes: readonly number[]): string =>
    `SELECT ${['1 AS one', ...attributes.map((at) => `a${at}`), ...(hasId ? ['id'] : [])].join(', ')} FROM ${from}`;
  const units = (): string => {
    if (unit.kind === 'row' || unit.kind === 'person') return `SELECT count(*) FROM ${from}`;
    return hasId ? `SELECT count(DISTINCT id) FROM ${from}` : rows.units;
  };
  if (connection.isFixed) return { codes, units: units(), known: undefined };
  const found = await checkCells(connection, relation, codes(every), {
    names: every.map((at): [string, string] => [`a${at}`, domain.attributes[at].name]),
    id: isOfIds ? unit.column : undefined,
    signal,
  });
  return { codes, units: units(), known: found.ids ?? found.rows };
};
