import { entryOf } from '../bundle/make-bundle.js';
import type { FileEntry } from '../bundle/manifest.js';
import type { Domain } from '../domain/domain.js';
import type { DecodeTableOptions } from '../domain/encode/decode-table.js';
import type { Running } from '../domain/running.js';
import type { Table } from '../domain/table.js';
import { csvText, decodedRows } from './decoded-rows.js';

/** Keeps synthetic rows somewhere, drawn with `decoding`, and says under which name, size and hash. */
export type KeepRows<Rows = Table> = (rows: Rows, decoding: DecodeTableOptions & Running) => Promise<FileEntry>;

/** Rows as CSV among files in memory. */
export const rowsAmong =
  (files: Record<string, Uint8Array>, domain: Domain, spreadsheet: boolean | undefined) =>
  async (rows: Table | Iterable<Table>, decoding: DecodeTableOptions & Running): Promise<FileEntry> => {
    const parts: string[] = [];
    for await (const text of csvText(domain, decodedRows(domain, rows, decoding), { spreadsheet })) parts.push(text);
    const name = 'synthetic.csv';
    files[name] = new TextEncoder().encode(parts.join(''));
    return entryOf(name, files[name]);
  };
