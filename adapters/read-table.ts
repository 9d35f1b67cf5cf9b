import type { DuckDBConnection, DuckDBVector } from '@duckdb/node-api';
import type { Attribute } from '../src/domain/attribute.js';
import { columnEncoder } from '../src/domain/column-encoder.js';
import type { Domain } from '../src/domain/domain.js';
import { encodingError } from '../src/domain/encode-table.js';
import { InputError } from '../src/domain/input-error.js';
import type { Running } from '../src/domain/running.js';
import { type CodeColumn, codeColumn, type Table } from '../src/domain/table.js';
import { codesSql } from './code-sql.js';
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
    return await readRelation(database.connection, relation, domain, {
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
  } finally {
    await database.close();
  }
};

export interface ReadRelationOptions extends Running {
  /** Row numbers to leave out, counted from 0, increasing. */
  readonly without?: Float64Array;
}

/** Reads a relation as a table of cells; the first value without a cell is an `InputError` with its column and row. */
export const readRelation = async (
  connection: DuckDBConnection,
  relation: Relation,
  domain: Domain,
  { onProgress, signal, without = new Float64Array() }: ReadRelationOptions = {},
): Promise<Table> => {
  const { attributes } = domain;
  const columns = columnsFor(relation, attributes);
  const builders = attributes.map(({ size }) => columnBuilder(size));
  let read = 0;
  let skipped = 0;
  try {
    const sql = await codesSql(connection, relation, attributes, columns);
    for await (const chunk of chunksOf(connection, sql, signal)) {
      const rows = chunk.rowCount;
      const drop = new Set<number>();
      for (; without[skipped] < read + rows; skipped++) drop.add(without[skipped] - read);
      const invalid = builders.map((builder, i) => builder.append(chunk.getColumnVector(i), rows, drop));
      const first = Math.min(...invalid);
      if (first < rows) {
        const attribute = attributes[invalid.indexOf(first)];
        throw await offence(connection, relation, attribute, read + first);
      }
      read += rows;
      onProgress?.({ stage: 'encode', done: read });
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw readingError(error, relation.shown);
  }
  return { domain, length: read - skipped, columns: builders.map((builder) => builder.finish()) };
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

/** Rows of a block of codes while their number is not known yet. */
const BLOCK = 1 << 20;

/** Gathers the codes of one attribute in blocks and joins them at the end, so that nothing is ever held twice but one column. */
const columnBuilder = (size: number) => {
  let blocks: CodeColumn[] = [];
  let length = 0;
  return {
    /** Takes a chunk's codes; the answer is the first row without one, or `rows`. */
    append: (codes: DuckDBVector, rows: number, drop: ReadonlySet<number>): number => {
      for (let i = 0; i < rows; i++) {
        const code = codes.getItem(i) as number | null;
        if (code === null) return i;
        if (drop.size > 0 && drop.has(i)) continue;
        const at = length % BLOCK;
        if (at === 0) blocks.push(codeColumn(size, BLOCK));
        blocks[blocks.length - 1][at] = code;
        length++;
      }
      return rows;
    },
    finish: (): CodeColumn => {
      const whole = codeColumn(size, length);
      blocks.forEach((block, i) => {
        whole.set(block.subarray(0, length - i * BLOCK), i * BLOCK);
      });
      blocks = [];
      return whole;
    },
  };
};
