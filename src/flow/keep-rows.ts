import { describing } from '../bundle/make-bundle.js';
import type { FileEntry } from '../bundle/manifest.js';
import type { Domain } from '../domain/domain.js';
import type { DecodeTableOptions } from '../domain/encode/decode-table.js';
import type { OfBoth } from '../domain/households/keyed-tables.js';
import type { Running } from '../domain/running.js';
import type { Table } from '../domain/table.js';
import { inTurns } from '../domain/turns.js';
import { csvText, decodedRows } from './decoded-rows.js';

/** Keeps synthetic rows somewhere, drawn with `decoding`, and says under which name, size and hash. */
export type KeepRows<Rows = Table> = (rows: Rows, decoding: DecodeTableOptions & Running) => Promise<FileEntry>;

/** The same for the two tables of synthetic households, which share a key. */
export type KeepHouseholds = (
  tables: OfBoth<Table>,
  decoding: DecodeTableOptions & Running,
) => Promise<OfBoth<FileEntry>>;

type Files = Record<string, Uint8Array>;

/** Rows as CSV among files in memory. */
export const rowsAmong =
  (files: Files, domain: Domain, spreadsheet: boolean | undefined, name = 'synthetic') =>
  async (rows: Table | Iterable<Table>, decoding: DecodeTableOptions & Running): Promise<FileEntry> => {
    const parts: string[] = [];
    for await (const text of csvText(domain, decodedRows(domain, rows, decoding), { spreadsheet })) parts.push(text);
    files[`${name}.csv`] = new TextEncoder().encode(parts.join(''));
    return inTurns(describing(`${name}.csv`, files[`${name}.csv`]), decoding);
  };

/** Households and their persons, each as one keeps the rows of a domain under a name. */
export const keepBoth =
  (keep: (domain: Domain, name: string) => KeepRows): KeepHouseholds =>
  async ({ households, persons }, decoding) => ({
    households: await keep(households.domain, 'households')(households, decoding),
    persons: await keep(persons.domain, 'persons')(persons, decoding),
  });
