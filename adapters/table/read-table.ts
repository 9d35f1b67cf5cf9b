import type { Domain } from '../../src/domain/domain.js';
import type { Running } from '../../src/domain/running.js';
import type { Outside } from '../../src/domain/schema/outside.js';
import type { Table } from '../../src/domain/table.js';
import { type DuckDBLimits, openDuckDB } from '../duckdb/duckdb.js';
import { fileRelation } from '../duckdb/relation.js';
import { assertPublic, type ReadAsPublic } from '../private/looks-private.js';
import { readRelation } from './read-relation.js';
import { tableFile } from './table-file.js';

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
  file: string,
  domain: Domain,
  { onProgress, signal, outside, private: hidden, unsafeNonPrivate = false, ...limits }: ReadTableOptions = {},
): Promise<Table> => {
  const found = await tableFile(file);
  await assertPublic(file, { private: hidden, unsafeNonPrivate });
  const database = await openDuckDB([found.path], limits);
  try {
    const relation = await fileRelation(database, found);
    const running = { onProgress, signal };
    const options = { ...running, outside };
    return (await readRelation(database.connection, relation, domain, options)).table;
  } finally {
    await database.close();
  }
};
