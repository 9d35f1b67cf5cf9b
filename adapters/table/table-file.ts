import { constants, createReadStream } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { TableFormat as Written } from '../../src/domain/format/table-format.js';
import { InputError } from '../../src/domain/input-error.js';
import { isAddress, tableAddress } from '../sql/address.js';
import { type TableFormat, tableForm } from './table-form.js';

/** A table on disk that can be opened: it exists, is a readable file, and its name tells its form. */
export interface TableFile {
  /** As the user named it, for messages. */
  readonly shown: string;
  /** Absolute, with links resolved. */
  readonly path: string;
  readonly format: TableFormat;
  readonly gzip: boolean;
  /** Between the fields of a CSV file. */
  readonly delimiter: string;
  /** Whether somebody said so; otherwise the header shows it. */
  readonly isDelimiterTold?: boolean | undefined;
  /** Around the fields of a CSV file. */
  readonly quote: string;
  /** Whether the file has no bytes at all. */
  readonly empty: boolean;
  /** Changes when the file is replaced or written to; never leaves the process. */
  readonly stamp: string;
}

/**
 * Looks at a file before DuckDB does, so that what is wrong with it can be said in a sentence. Asks the file system only: the
 * file is not opened.
 */
export const tableFile = async (file: string): Promise<TableFile> => {
  if (isAddress(file))
    throw new InputError(
      `${tableAddress(file).shown}: must be a file here, got a table of a database; write it to a file first (COPY ... TO, as CSV with a header)`,
    );
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(
      error.code === 'EACCES'
        ? `${file}: must be readable, and a directory above it is closed to you; check its permissions`
        : `${file}: must be a file that exists; check the path`,
    );
  });
  if (found.isDirectory()) throw new InputError(`${file}: must be a file, got a directory; name a table in it`);
  if (!found.isFile()) throw new InputError(`${file}: must be a regular file, got a device or pipe; save it first`);
  const form = tableForm(file);
  await access(file, constants.R_OK).catch(() => {
    throw new InputError(`${file}: must be readable; check its permissions`);
  });
  return {
    shown: file,
    path: await realpath(file),
    ...form,
    quote: '"',
    empty: found.size === 0,
    stamp: stampOf(found),
  };
};

const stampOf = ({ dev, ino, size, mtimeMs }: Awaited<ReturnType<typeof stat>>): string =>
  [dev, ino, size, mtimeMs].join(':');

/** Throws when the file is no longer the one that was looked at: two passes over it would then see different rows. */
export const assertUnchanged = async (file: TableFile): Promise<void> => {
  const now = await stat(file.path).catch(() => undefined);
  if (now === undefined || stampOf(now) !== file.stamp)
    throw new InputError(`${file.shown}: must not change while it is read; try again when nothing writes to it`);
};

/** The file as somebody says it is written. */
export const writtenAs = (file: TableFile, table: Pick<Written, 'delimiter' | 'quote'> | undefined): TableFile =>
  table === undefined || file.format !== 'csv'
    ? file
    : {
        ...file,
        delimiter: table.delimiter ?? file.delimiter,
        isDelimiterTold: table.delimiter !== undefined,
        quote: table.quote ?? file.quote,
      };

/** DuckDB takes a torn file for a short one, so its checksums are looked at first: rows must not get lost in silence. */
export const checkGzip = async ({ path: file, shown }: TableFile): Promise<void> => {
  try {
    await pipeline(
      createReadStream(file),
      createGunzip(),
      new Writable({ write: (_chunk, _encoding, next) => next() }),
    );
  } catch {
    throw new InputError(`${shown}: must be a whole gzip file, and it is not or is damaged; compress it again`);
  }
};
