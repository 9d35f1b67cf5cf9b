import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import type { NewLedger } from '../../src/privacy/ledger/new-ledger.js';
import type { LedgerStore } from '../../src/privacy/ledger/store.js';
import type { StoredLedger } from '../../src/privacy/ledger/stored-ledger.js';
import { isPostgresAddress } from '../postgres/postgres-address.js';
import { isSameFile } from '../private/same-file.js';
import { createFileLedger, fileLedger, fileStore } from './file-ledger.js';
import {
  createPostgresLedger,
  isSamePostgres,
  postgresLedger,
  postgresLedgerExists,
  postgresPlace,
  postgresStore,
} from './postgres-ledger.js';

/*
 * A ledger by its place: the path of a file, or the address of a database with a ledger's name, `postgres://host/database?ledger=name`.
 */

/** Whether a place is a file; else it is in a database. */
export const isFilePlace = (place: string): boolean => !isPostgresAddress(place);

/** How a ledger is called in messages and files; refuses an address that is none, or that holds a password. */
export const ledgerName = (place: string): string => (isFilePlace(place) ? place : postgresPlace(place).address.shown);

/** The bytes of a ledger, for `inspectLedger`. */
export const ledgerStore = (place: string): LedgerStore =>
  isFilePlace(place) ? fileStore(place) : postgresStore(place);

/** Makes a ledger, once. */
export const createLedger = (place: string, terms: NewLedger): Promise<StoredLedger> =>
  isFilePlace(place) ? createFileLedger(place, terms) : createPostgresLedger(place, terms);

/** Opens a ledger; with a `budget`, makes it first if there is none. The signal ends waits for a database. */
export const openLedger = (
  place: string,
  { signal, ...terms }: Partial<NewLedger> & Pick<Running, 'signal'> = {},
): Promise<StoredLedger> =>
  isFilePlace(place) ? fileLedger(place, terms) : postgresLedger(place, { ...terms, signal });

/** Whether there is a ledger at a place. */
export const ledgerExists = async (place: string, running: Pick<Running, 'signal'> = {}): Promise<boolean> =>
  isFilePlace(place) ? (await stat(place).catch(() => undefined)) !== undefined : postgresLedgerExists(place, running);

/** Whether two places are one ledger. */
export const isSameLedger = async (one: string, two: string): Promise<boolean> => {
  if (isFilePlace(one) && isFilePlace(two)) return isSameFile(one, two);
  return !isFilePlace(one) && !isFilePlace(two) && isSamePostgres(one, two);
};

/** Refuses, before anything is read, a place where no ledger can be made. A database says so when it is asked. */
export const checkPlace = async (place: string): Promise<void> => {
  if (!isFilePlace(place)) return;
  await access(path.dirname(place), constants.W_OK).catch(() => {
    throw new InputError(`ledger ${place}: must be in a directory that is open to you; name another place for it`);
  });
};

/** The place with links resolved: what a note beside a table leads to. */
export const realPlace = async (place: string): Promise<string> => (isFilePlace(place) ? realpath(place) : place);
