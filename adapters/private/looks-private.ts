import { stat } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../../src/domain/input-error.js';
import { ledgersOf } from '../ledger/ledgers-of.js';
import { isAddress } from '../sql/address.js';
import { type TableFile, tableFile } from '../table/table-file.js';
import { fileDigest, hasDigest } from './file-digest.js';
import { isSameFile } from './same-file.js';

/** How a table is read as public. */
export interface ReadAsPublic {
  /** A table that is known to be private, or several: the same file by any name is private too. They are not opened. */
  readonly private?: string | readonly string[] | undefined;
  /** FOR THE LABORATORY: read a table that shows signs of being private all the same. What is made of it protects nobody. */
  readonly unsafeNonPrivate?: boolean | undefined;
}

/**
 * Why a table must be taken for private, as a clause for "got a table that ...", or undefined: it is the private table under this or
 * another name, or a ledger keeps its budget. The one place that knows the signs; asked
 * wherever a table is read as public. Opens no table. No sign is no proof.
 */
export const looksPrivate = async (
  table: string | TableFile,
  signs: Pick<ReadAsPublic, 'private'> = {},
): Promise<string | undefined> => {
  const { shown: file } =
    typeof table !== 'string' ? table : isAddress(table) ? { shown: table } : await tableFile(table);
  const hidden = typeof signs.private === 'string' ? [signs.private] : (signs.private ?? []);
  for (const one of hidden) if (await isSameFile(file, one)) return 'is the private table itself';
  const [ledger] = await ledgersOf(file, hidden);
  return ledger === undefined ? undefined : `has a ledger, ${path.relative('.', ledger) || ledger}`;
};

/** Refuses a table that shows a sign of being private; to be called before it is read as public. */
export const assertPublic = async (table: string | TableFile, signs: ReadAsPublic = {}): Promise<void> => {
  const sign = await looksPrivate(table, signs);
  const file = typeof table === 'string' ? table : table.shown;
  if (sign !== undefined && signs.unsafeNonPrivate !== true)
    throw new InputError(
      `${file}: must be public, got a table that ${sign}; name a table that everybody may see, or, where there is none, write the schema by hand (docs/domain.md) and release without one`,
    );
};

/** Refuses a public table that is a copy of the private one, to the byte. Reads both, and only when their sizes are equal. */
export const assertNoCopy = async (file: string, privateFile: string): Promise<void> => {
  // A table of a database has no bytes of its own.
  if (isAddress(file) || isAddress(privateFile)) return;
  const [open, hidden] = await Promise.all([stat(file), stat(privateFile)]);
  if (open.size !== hidden.size || open.size === 0 || !(await hasDigest(privateFile, await fileDigest(file)))) return;
  throw new InputError(
    `${file}: must be public, got a copy of the private table; name a table that everybody may see, or release without one`,
  );
};

/** Refuses two public tables that are one file: comparing a table with itself says nothing. Opens neither. */
export const assertDistinct = async (file: string, against: string): Promise<void> => {
  await Promise.all([tableFile(file), tableFile(against)]);
  if (await isSameFile(file, against))
    throw new InputError(`${file}: must be another table than ${against}, got the same file; name two tables`);
};
