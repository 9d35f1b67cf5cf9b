import type { DuckDBConnection } from '@duckdb/node-api';
import type { Attribute } from '../../src/domain/attribute/attribute.js';
import { columnEncoder } from '../../src/domain/attribute/column-encoder.js';
import type { Domain } from '../../src/domain/domain.js';
import { type Columns, encodingError } from '../../src/domain/encode/encode-table.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import type { Outside } from '../../src/domain/schema/outside.js';
import { codeColumn, type Table } from '../../src/domain/table.js';
import { codesSql } from '../duckdb/code-sql.js';
import { chunksOf } from '../duckdb/duckdb.js';
import { readingError } from '../duckdb/duckdb-error.js';
import { valueSql } from '../duckdb/relation.js';
import { idMissing, idSql } from '../duckdb/rows-beyond.js';
import { columnNamed, columnsFor, type SqlTable } from '../sql/sql-table.js';
import { codeBuilder, idBuilder } from './column-builder.js';

export interface ReadRelationOptions extends Running {
  /** A column to read whose every row must say whose it is. */
  readonly id?: string | undefined;
  /** Numbers of ids that another table has, to go on with: those of this one are added. */
  readonly idNumbers?: Map<string, number> | undefined;
  /** Columns whose values are wanted beside the codes, of the first million rows. */
  readonly values?: readonly string[] | undefined;
  /** Bytes of codes and ids beyond which the reading stops with `TooLarge`. */
  readonly maxBytes?: number | undefined;
  /** What becomes of values that the schema does not name; `declared` unless told. */
  readonly outside?: Outside | undefined;
}

/** A relation as a table of cells, and the number of each row's id in the order of their first appearance if wanted. */
export interface ReadRows {
  readonly table: Table;
  readonly ids?: Uint32Array | undefined;
  /** Undefined when none were wanted. */
  readonly values?: Columns | undefined;
}

/** Rows whose values are kept, beside their codes. */
const mostValues = 1_000_000;

/** The rows do not fit in the bytes allowed. */
export class TooLarge extends Error {}

/** Reads a relation as a table of cells; the first value without a cell is an `InputError` with its column and row. */
export const readRelation = async (
  connection: DuckDBConnection,
  relation: SqlTable,
  domain: Domain,
  options: ReadRelationOptions = {},
): Promise<ReadRows> => {
  const { onProgress, signal, id, maxBytes = Number.POSITIVE_INFINITY, outside = 'declared', values = [] } = options;
  const { attributes } = domain;
  const columns = columnsFor(relation, attributes);
  const ids = id === undefined ? [] : [['id', idSql(columnNamed(relation, id))]];
  const raw = values.map((name, i) => [`v${i}`, valueSql(columnNamed(relation, name))]);
  const extra: Record<string, string> = Object.fromEntries([...ids, ...raw]);
  const kept = values.map((name): [string, unknown[]] => [name, []]);
  const builders = attributes.map(({ size }) => codeBuilder(size));
  const units = idBuilder(options.idNumbers);
  const width = attributes.reduce((bytes, { size }) => bytes + codeColumn(size, 0).BYTES_PER_ELEMENT, 0);
  const rowBytes = width + (id === undefined ? 0 : 4);
  let read = 0;
  try {
    const sql = await codesSql(connection, relation, attributes, columns, { outside, extra });
    for await (const chunk of chunksOf(connection, sql, signal)) {
      const rows = chunk.rowCount;
      if ((read + rows) * rowBytes > maxBytes) throw new TooLarge();
      const invalid = builders.map((builder, i) => builder.append(chunk.getColumnVector(i), rows));
      const first = Math.min(...invalid);
      if (first < rows)
        throw await offence(connection, relation, attributes[invalid.indexOf(first)], read + first, outside);
      if (id !== undefined) {
        const at = units.append(chunk.getColumnVector(attributes.length), rows);
        if (at < rows) throw idMissing(relation.shown, id, read + at);
      }
      if (read < mostValues)
        for (const [i, [, list]] of kept.entries())
          for (const value of chunk.getColumnValues(attributes.length + ids.length + i)) list.push(value);
      read += rows;
      onProgress?.({ stage: 'encode', done: read });
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof TooLarge ? error : readingError(error, relation.shown);
  }
  const table = { domain, length: read, columns: builders.map((builder) => builder.finish()) };
  return {
    table,
    ids: id === undefined ? undefined : (units.finish() as Uint32Array),
    values: values.length === 0 ? undefined : Object.fromEntries(kept),
  };
};

/** The error for a value that has no cell, at a row counted from 0. Reads the one value again to say what is wrong with it. */
export const offence = async (
  connection: DuckDBConnection,
  relation: SqlTable,
  attribute: Attribute,
  row: number,
  outside: Outside,
): Promise<InputError> => {
  const column = columnNamed(relation, attribute.name);
  const sql = `SELECT ${valueSql(column)} FROM ${relation.sql} LIMIT 1 OFFSET ${row}`;
  const value = (await connection.runAndReadAll(sql)).getRowsJS()[0]?.[0];
  const problem = encodingError(attribute, columnEncoder(attribute, outside)(value), row + 1);
  return new InputError(`${relation.shown}: ${problem.message}`);
};
