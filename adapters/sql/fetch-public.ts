import { closeSync, openSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import { csvLine } from '../../src/flow/decoded-rows.js';
import { looksPrivate, type ReadAsPublic } from '../private/looks-private.js';
import { privateFolder } from '../private/private-folder.js';
import { tableAddress } from './address.js';
import { openAddress } from './engines.js';

/** A table of a database as a file of this machine, for as long as it is needed. */
export interface FetchedTable {
  readonly file: string;
  remove(): Promise<void>;
}

/**
 * Fetches a *public* table that is named by an address to a CSV file that is called like it, in a folder of its own: what is read as public is read here. Rows come in the order
 * of their values, so that the same rows make the same file. Columns of lists, structures or bytes are left out. A table that shows a sign of being private is refused.
 */
export const fetchPublic = async (address: string, options: Running & ReadAsPublic = {}): Promise<FetchedTable> => {
  const { table, shown } = tableAddress(address);
  const sign = await looksPrivate(address, options);
  if (sign !== undefined && options.unsafeNonPrivate !== true)
    throw new InputError(`${shown}: must be public, got a table that ${sign}; name a table that everybody may see`);
  const { signal, onProgress } = options;
  const { connection, relation } = await openAddress(address, { signal });
  const folder = await privateFolder();
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const { dialect } = connection;
    const columns = relation.columns.filter(({ kind }) => kind !== 'nested');
    if (columns.length === 0)
      throw new InputError(`${shown}: must have columns of plain values, got none; make a view`);
    const file = path.join(folder, `${table.replace(/[^\p{L}\p{N}_-]/gu, '_')}.csv`);
    await fetched(file, async (write) => {
      write(csvLine(columns.map(({ name }) => name)));
      const texts = columns.map(({ sql }) => dialect.text(sql));
      const order = columns.map((_, i) => i + 1).join(', ');
      let done = 0;
      await connection.query(`SELECT ${texts.join(', ')} FROM ${relation.sql} ORDER BY ${order}`, {
        signal,
        onRow: (row) => {
          write(csvLine(row.map((value) => (value === null ? null : String(value)))));
          if (++done % 100_000 === 0) onProgress?.({ stage: 'read', done });
        },
      });
    });
    return { file, remove };
  } catch (error) {
    await remove();
    throw error;
  } finally {
    await connection.close();
  }
};

/** Characters that are held before they are written. */
const HELD = 2 ** 20;

/** Makes a file of texts that come faster than a disk may take them: whoever writes waits for it, so that no more than a piece is held. */
const fetched = async (file: string, make: (write: (text: string) => void) => Promise<void>): Promise<void> => {
  const descriptor = openSync(file, 'wx', 0o600);
  let held: string[] = [];
  let length = 0;
  const flush = (): void => {
    const bytes = Buffer.from(held.join(''), 'utf8');
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    held = [];
    length = 0;
  };
  try {
    await make((text) => {
      held.push(text);
      length += text.length;
      if (length >= HELD) flush();
    });
    flush();
  } finally {
    closeSync(descriptor);
  }
};
