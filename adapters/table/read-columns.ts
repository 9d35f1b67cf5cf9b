import type { Columns } from '../../src/domain/encode/encode-table.js';
import type { Running } from '../../src/domain/running.js';
import { chunksOf, type DuckDBLimits } from '../duckdb/duckdb.js';
import { readingError } from '../duckdb/duckdb-error.js';
import { fileRelation, valueSql } from '../duckdb/relation.js';
import type { ReadAsPublic } from '../private/looks-private.js';
import { columnNamed } from '../sql/sql-table.js';
import { openPublic } from './open-public.js';

/** A column of a file: its name, and its type as DuckDB calls it (VARCHAR for everything in CSV and JSON lines). */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
}

/** The columns of a *public* table, in the file's order; of its rows only the first keys of JSON lines are read. */
export const tableColumns = async (file: string, signs: ReadAsPublic = {}): Promise<TableColumn[]> => {
  const { found, database, close } = await openPublic(file, signs);
  try {
    return (await fileRelation(database, found)).columns.map(({ name, type }) => ({ name, type }));
  } finally {
    await close();
  }
};

/** Which columns are read. */
export interface ReadColumnsOptions extends Running, DuckDBLimits, ReadAsPublic {
  /** The columns wanted, in this order; all that hold plain values unless told. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * The raw values of a *public* table, in parts of at most 2,048 rows: doubles as numbers, everything else as its text, null
 * where empty. Feeds `schemaLearner` and `columnDecoder` in bounded memory. A table that has a ledger is private and is refused.
 */
export async function* readColumns(file: string, options: ReadColumnsOptions = {}): AsyncGenerator<Columns> {
  const { columns, onProgress, signal, private: hidden, unsafeNonPrivate, ...limits } = options;
  const { found, database, close } = await openPublic(file, { private: hidden, unsafeNonPrivate }, limits);
  try {
    const relation = await fileRelation(database, found);
    const wanted =
      columns === undefined
        ? relation.columns.filter(({ kind }) => kind !== 'nested')
        : columns.map((name) => columnNamed(relation, name));
    const sql = `SELECT ${wanted.map((column) => valueSql(column)).join(', ') || '1'} FROM ${relation.sql}`;
    let done = 0;
    for await (const chunk of chunksOf(database.connection, sql, signal)) {
      yield Object.fromEntries(wanted.map(({ name }, i) => [name, chunk.getColumnValues(i)]));
      done += chunk.rowCount;
      onProgress?.({ stage: 'read', done });
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw readingError(error, file);
  } finally {
    await close();
  }
}
