import type { DuckDBConnection } from '@duckdb/node-api';
import type { Attribute } from '../src/domain/attribute.js';
import { columnEncoder } from '../src/domain/column-encoder.js';
import type { Domain } from '../src/domain/domain.js';
import { encodingError } from '../src/domain/encode-table.js';
import { InputError } from '../src/domain/input-error.js';
import type { Running } from '../src/domain/running.js';
import { codeColumn, type Table } from '../src/domain/table.js';
import { codesSql } from './code-sql.js';
import { codeBuilder, idBuilder } from './column-builder.js';
import { idMissing, idSql } from './contribution.js';
import { chunksOf, type DuckDBLimits, openDuckDB } from './duckdb.js';
import { readingError } from './duckdb-error.js';
import { columnNamed, columnsFor, fileRelation, type Relation, valueSql } from './relation.js';
import { tableFile } from './table-file.js';

/**
 * Reads a CSV, TSV, JSON lines or Parquet file as a table of cells, streaming: beside DuckDB's own memory it holds the
 * codes (1, 2 or 4 bytes a value) and one column more. Columns that are not in the domain are not read. The progress
 * counts rows, so it is for public tables; `openPrivateFile` is for private ones.
 */
export const readTable = async (
  file: string,
  domain: Domain,
  { onProgress, signal, ...limits }: Running & DuckDBLimits = {},
): Promise<Table> => {
  const found = await tableFile(file);
  const database = await openDuckDB([found.path], limits);
  try {
    const relation = await fileRelation(database, found);
    const running = { ...(onProgress && { onProgress }), ...(signal && { signal }) };
    return (await readRelation(database.connection, relation, domain, running)).table;
  } finally {
    await database.close();
  }
};

export interface ReadRelationOptions extends Running {
  /** A column to read whose every row must say whose it is. */
  readonly id?: string;
  /** Bytes of codes and ids beyond which the reading stops with `TooLarge`. */
  readonly maxBytes?: number;
}

/** A relation as a table of cells, and the number of each row's id in the order of their first appearance if wanted. */
export interface ReadRows {
  readonly table: Table;
  readonly ids?: Uint32Array;
}

/** The rows do not fit in the bytes allowed. */
export class TooLarge extends Error {}

/** Reads a relation as a table of cells; the first value without a cell is an `InputError` with its column and row. */
export const readRelation = async (
  connection: DuckDBConnection,
  relation: Relation,
  domain: Domain,
  { onProgress, signal, id, maxBytes = Number.POSITIVE_INFINITY }: ReadRelationOptions = {},
): Promise<ReadRows> => {
  const { attributes } = domain;
  const columns = columnsFor(relation, attributes);
  const extra: Record<string, string> = id === undefined ? {} : { id: idSql(columnNamed(relation, id)) };
  const builders = attributes.map(({ size }) => codeBuilder(size));
  const units = idBuilder();
  const width = attributes.reduce((bytes, { size }) => bytes + codeColumn(size, 0).BYTES_PER_ELEMENT, 0);
  const rowBytes = width + (id === undefined ? 0 : 4);
  let read = 0;
  try {
    const sql = await codesSql(connection, relation, attributes, columns, extra);
    for await (const chunk of chunksOf(connection, sql, signal)) {
      const rows = chunk.rowCount;
      if ((read + rows) * rowBytes > maxBytes) throw new TooLarge();
      const invalid = builders.map((builder, i) => builder.append(chunk.getColumnVector(i), rows));
      const first = Math.min(...invalid);
      if (first < rows) throw await offence(connection, relation, attributes[invalid.indexOf(first)], read + first);
      if (id !== undefined) {
        const at = units.append(chunk.getColumnVector(attributes.length), rows);
        if (at < rows) throw idMissing(relation.shown, id, read + at);
      }
      read += rows;
      onProgress?.({ stage: 'encode', done: read });
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof TooLarge ? error : readingError(error, relation.shown);
  }
  const table = { domain, length: read, columns: builders.map((builder) => builder.finish()) };
  return id === undefined ? { table } : { table, ids: units.finish() as Uint32Array };
};

/** The error for a value that has no cell, at a row counted from 0. Reads the one value again to say what is wrong with it. */
export const offence = async (
  connection: DuckDBConnection,
  relation: Relation,
  attribute: Attribute,
  row: number,
): Promise<InputError> => {
  const column = columnNamed(relation, attribute.name);
  const sql = `SELECT ${valueSql(column)} FROM ${relation.sql} LIMIT 1 OFFSET ${row}`;
  const value = (await connection.runAndReadAll(sql)).getRowsJS()[0]?.[0];
  const problem = encodingError(attribute, columnEncoder(attribute)(value), row + 1);
  return new InputError(`${relation.shown}: ${problem.message}`);
};
