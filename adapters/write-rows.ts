import path from 'node:path';
import type { FileEntry } from '../src/bundle/manifest.js';
import type { Domain } from '../src/domain/domain.js';
import type { DecodeTableOptions } from '../src/domain/encode/decode-table.js';
import type { Running } from '../src/domain/running.js';
import type { Table } from '../src/domain/table.js';
import { describeFile } from './bundle-directory.js';
import { writeTable } from './table/write-table.js';

export interface WriteRowsOptions {
  readonly format?: 'csv' | 'parquet' | undefined;
  /** Write the CSV file for a spreadsheet (see `writeTable`); not unless told. */
  readonly spreadsheet?: boolean | undefined;
}

/** Keeps synthetic rows in a file of a directory: `keepRows` of a release or an estimate. */
export const writeRows =
  (directory: string, domain: Domain, { format = 'csv', spreadsheet }: WriteRowsOptions, name = 'synthetic') =>
  async (rows: Table | Iterable<Table>, decoding: DecodeTableOptions & Running): Promise<FileEntry> => {
    const file = path.join(directory, `${name}.${format}`);
    await writeTable(file, domain, rows, { ...decoding, spreadsheet });
    return describeFile(file);
  };
