import type { CellValue } from '../domain/attribute/column-decoder.js';
import type { Domain } from '../domain/domain.js';
import { type DecodeTableOptions, tableDecoder } from '../domain/encode/decode-table.js';
import { spreadsheetText } from '../domain/encode/spreadsheet-text.js';
import type { Running } from '../domain/running.js';
import type { Table } from '../domain/table.js';

/** Rows decoded at a time: a chunk of DuckDB's. */
const part = 2048;

/** Rows of cells as values, column by column, at most 2,048 rows at a time; rows may arrive in parts of any length. */
export async function* decodedRows(
  domain: Domain,
  rows: Table | AsyncIterable<Table> | Iterable<Table>,
  { onProgress, signal, ...options }: DecodeTableOptions & Running,
): AsyncGenerator<CellValue[][]> {
  const decode = tableDecoder(domain, options);
  const total = 'columns' in rows ? rows.length : undefined;
  let done = 0;
  for await (const table of 'columns' in rows ? [rows] : rows) {
    for (let start = 0; start < table.length; start += part) {
      signal?.throwIfAborted();
      const end = Math.min(table.length, start + part);
      yield decode(table.columns.map((column) => column.subarray(start, end)));
      done += end - start;
      onProgress?.({ stage: 'write', done, total });
    }
  }
}

/** How CSV is written. */
export interface CsvOptions {
  /** Between fields; a comma by default. */
  readonly delimiter?: string | undefined;
  /** Whether texts that a spreadsheet would take for a formula get an apostrophe in front. */
  readonly spreadsheet?: boolean | undefined;
}

const lineWriter = (delimiter: string, spreadsheet: boolean): ((values: readonly CellValue[]) => string) => {
  const needsQuotes = new RegExp(`["\\r\\n${delimiter}]`);
  const field = (value: CellValue): string => {
    if (value === null) return '';
    const text = spreadsheet && typeof value === 'string' ? spreadsheetText(value) : String(value);
    return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  // A line without any character would be no row at all, so a lone empty field is quoted.
  return (values) => `${values.map(field).join(delimiter) || '""'}\n`;
};

/** One line of CSV (RFC 4180), with commas. */
export const csvLine: (values: readonly CellValue[]) => string = lineWriter(',', false);

/** Decoded rows as CSV (RFC 4180), in parts of text, the header first. Empty values are empty fields. */
export async function* csvText(
  { attributes }: Domain,
  parts: AsyncIterable<CellValue[][]>,
  { delimiter = ',', spreadsheet = false }: CsvOptions = {},
): AsyncGenerator<string> {
  const line = lineWriter(delimiter, spreadsheet);
  let text = line(attributes.map(({ name }) => name));
  for await (const columns of parts) {
    for (let row = 0; row < columns[0].length; row++) text += line(columns.map((column) => column[row]));
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
