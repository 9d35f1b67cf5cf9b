import type { Attribute } from '../../src/domain/attribute/attribute.js';
import type { Domain } from '../../src/domain/domain.js';
import type { Columns } from '../../src/domain/encode/encode-table.js';
import type { Running } from '../../src/domain/running.js';
import type { Outside } from '../../src/domain/schema/outside.js';
import type { Table } from '../../src/domain/table.js';
import type { DuckDBLimits } from '../duckdb/duckdb.js';
import { fileRelation } from '../duckdb/relation.js';
import type { ReadAsPublic } from '../private/looks-private.js';
import type { PublicFile } from '../private/public-file.js';
import { openPublic } from './open-public.js';
import { readRelation } from './read-relation.js';

/** How a public table is read. */
export interface ReadTableOptions extends Running, DuckDBLimits, ReadAsPublic {
  /** What becomes of values that the schema does not name; `declared` unless told. */
  readonly outside?: Outside | undefined;
}

/**
 * Reads a *public* CSV, TSV, JSON lines or Parquet file as a table of cells, streaming: beside DuckDB's own memory it holds the
 * codes (1, 2 or 4 bytes a value) and one column more. Columns that are not in the domain are not read. A table that has a ledger
 * is private and is refused; `openPrivateFile` is for those.
 */
export const readTable = async (
  file: string | PublicFile,
  domain: Domain,
  options: ReadTableOptions = {},
): Promise<Table> => (await readTableAndValues(file, domain, () => false, options)).table;

/** The same, with the values of some attributes, the first million of each, in the same pass. */
export const readTableAndValues = async (
  file: string | PublicFile,
  domain: Domain,
  wanted: (attribute: Attribute) => boolean,
  { onProgress, signal, outside, private: hidden, unsafeNonPrivate, ...limits }: ReadTableOptions = {},
): Promise<{ readonly table: Table; readonly values?: Columns | undefined }> => {
  const values = domain.attributes.filter(wanted).map(({ name }) => name);
  const { found, database, close } = await openPublic(file, { private: hidden, unsafeNonPrivate }, limits);
  try {
    const relation = await fileRelation(database, found);
    return await readRelation(database.connection, relation, domain, { onProgress, signal, outside, values });
  } finally {
    await close();
  }
};
