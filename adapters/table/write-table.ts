import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { CellValue } from '../../src/domain/attribute/column-decoder.js';
import type { Domain } from '../../src/domain/domain.js';
import type { DecodeTableOptions } from '../../src/domain/encode/decode-table.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import type { Table } from '../../src/domain/table.js';
import { csvText, decodedRows } from '../../src/flow/decoded-rows.js';
import { type DuckDBLimits, execute, identifier, literal, openDuckDB } from '../duckdb/duckdb.js';
import { duckdbKind } from '../duckdb/kinds.js';
import { type WriteWholeOptions, writeWhole } from '../write-whole.js';
import { tableForm } from './table-form.js';

/** How rows are written. */
export interface WriteTableOptions extends DecodeTableOptions, WriteWholeOptions, Running, DuckDBLimits {
  /**
   * For a CSV or TSV file that people will open in a spreadsheet: texts and column names that it would take for a formula begin with an
   * apostrophe (`spreadsheetText`). A program that reads the file back finds the apostrophe, so it is off unless told.
   */
  readonly spreadsheet?: boolean | undefined;
}

/**
 * Writes rows of cells as values to a CSV, TSV or Parquet file, by the ending of its name, whole or not at all. Rows may
 * arrive in parts, so a table of any length is written in bounded memory. Empty values are empty fields (CSV) or NULL.
 */
export const writeTable = async (
  file: string,
  domain: Domain,
  rows: Table | AsyncIterable<Table> | Iterable<Table>,
  { random, like, pinned, onProgress, overwrite = false, signal, spreadsheet = false, ...limits }: WriteTableOptions,
): Promise<void> => {
  const { format, delimiter, gzip } = tableForm(file);
  if (format === 'json' || format === 'xlsx' || gzip)
    throw new InputError(`${file}: must end in .csv, .tsv or .parquet to be written; choose another name`);
  if (spreadsheet && format !== 'csv')
    throw new InputError(
      `${file}: must end in .csv or .tsv to be written for a spreadsheet; leave \`spreadsheet\` out`,
    );
  const parts = (): Parts => decodedRows(domain, rows, { random, like, pinned, onProgress, signal });
  const write = (temporary: string): Promise<void> =>
    format === 'csv'
      ? writeCsv(temporary, domain, parts(), delimiter, spreadsheet)
      : writeParquet(temporary, domain, parts(), limits);
  await writeWhole(file, write, { overwrite, signal });
};

type Parts = AsyncIterable<CellValue[][]>;

const writeCsv = async (
  file: string,
  domain: Domain,
  parts: Parts,
  delimiter: string,
  spreadsheet: boolean,
): Promise<void> => {
  const stream = createWriteStream(file, { flags: 'wx' });
  const failed = once(stream, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => undefined);
  try {
    for await (const text of csvText(domain, parts, { delimiter, spreadsheet }))
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), failed]);
    stream.end();
    await Promise.race([once(stream, 'close'), failed]);
  } finally {
    stream.destroy();
  }
};

const writeParquet = async (file: string, domain: Domain, parts: Parts, limits: DuckDBLimits): Promise<void> => {
  const database = await openDuckDB([file], limits);
  const { connection } = database;
  try {
    const kinds = domain.attributes.map(({ spec }) => duckdbKind(spec));
    const duckdb = await import('@duckdb/node-api');
    const types = kinds.map(({ type }) => duckdb[type]);
    const columns = domain.attributes.map(({ name }, i) => `${identifier(name)} ${types[i]}`);
    await connection.run(`CREATE TABLE store.main.rows (${columns.join(', ')})`);
    const appender = await connection.createAppender('rows', 'main', 'store');
    for await (const values of parts) {
      const chunk = duckdb.DuckDBDataChunk.create(types, values[0].length);
      values.forEach((column, i) => {
        chunk.setColumnValues(
          i,
          column.map((value) => (value === null ? null : kinds[i].value(value, duckdb))),
        );
      });
      appender.appendDataChunk(chunk);
    }
    appender.closeSync();
    await execute(connection, `COPY store.main.rows TO ${literal(file)} (FORMAT parquet)`);
  } finally {
    await database.close();
  }
};
