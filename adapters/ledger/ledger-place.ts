import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { InputError } from '../../src/domain/input-error.js';
import { tableAddress } from '../sql/address.js';
import { isFilePlace } from './any-ledger.js';
import { type TableIdentity, tableIdentity } from './table-identity.js';

/*
 * Where a table's ledger is: beside the table, or where a note beside the table says. So whoever names the table by another
 * name, or forgets where the ledger was, finds the same budget and does not start a second one.
 */
const shape = v.strictObject({ surmise: v.literal('ledger-place/1'), ledger: v.pipe(v.string(), v.nonEmpty()) });

type Place = Pick<TableIdentity, 'path' | 'isElsewhere'>;

/** The ledger's name beside a table. */
export const ledgerBeside = ({ path: table }: Place): string => `${table}.ledger.jsonl`;

const noteBeside = ({ path: table }: Place): string => `${table}.ledger-place.json`;

/** Whether there is such a file. A ledger in a database is asked for when it is opened, and says then if it is gone. */
const isThere = async (place: string): Promise<boolean> =>
  !isFilePlace(place) || (await stat(place).catch(() => undefined)) !== undefined;

/** A path as a person in the working directory would type it; an address as it is. */
export const shownPath = (file: string): string => {
  if (!isFilePlace(file)) return file;
  const relative = path.relative('', file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
};

/** The ledger that a table has, or undefined. */
export const knownLedger = async (table: Place): Promise<string | undefined> => {
  if (table.isElsewhere) return undefined;
  const beside = ledgerBeside(table);
  if (await isThere(beside)) return beside;
  const note = noteBeside(table);
  if (!(await isThere(note))) return undefined;
  const place = await placeIn(note);
  if (place === undefined || !(await isThere(place)))
    throw new InputError(
      `${note}: must name the table's ledger, got ${place === undefined ? 'something else' : 'a place where there is none'}`,
      { kind: 'put-ledger-back' },
    );
  return place;
};

/** Refuses a table beside which no ledger can stand: somebody must name it. */
export const checkBeside = ({ isElsewhere }: Place, table: string): void => {
  if (isElsewhere)
    throw new InputError(
      `${tableAddress(table).shown}: no ledger can stand beside a table of a database, and none was named`,
      {
        kind: 'name-ledger',
      },
    );
};

/** Where a private table's ledger is, or will be unless told, as a person would type it. */
export const ledgerPlace = async (table: string): Promise<string> => {
  const identity = await tableIdentity(table);
  checkBeside(identity, table);
  return shownPath((await knownLedger(identity)) ?? ledgerBeside(identity));
};

/** The ledger, or the note of one, that stands beside a table: whatever it says, its being there is a sign that the table is private. */
export const signsBeside = async (table: Place): Promise<string[]> => {
  if (table.isElsewhere) return [];
  const signs: string[] = [];
  for (const sign of [ledgerBeside(table), noteBeside(table)]) if (await isThere(sign)) signs.push(sign);
  return signs;
};

/** Where a note leads: undefined where there is none, or nothing that it could mean. */
const placeIn = async (note: string): Promise<string | undefined> => {
  try {
    const { ledger } = v.parse(shape, JSON.parse(await readFile(note, 'utf8')));
    return isFilePlace(ledger) ? path.resolve(path.dirname(note), ledger) : ledger;
  } catch {
    return undefined;
  }
};

/**
 * Leaves a note beside the table that its ledger is elsewhere; one that leads nowhere, since the ledger was moved, is written anew. Where none
 * can be written, the answer is false.
 */
export const notePlace = async (table: Place, ledger: string): Promise<boolean> => {
  if (table.isElsewhere) return false;
  const note = noteBeside(table);
  const place = isFilePlace(ledger) ? path.relative(path.dirname(note), path.resolve(ledger)) : ledger;
  const text = `${JSON.stringify({ surmise: 'ledger-place/1', ledger: place })}\n`;
  const found = await placeIn(note);
  const isStale = (await isThere(note)) && (found === undefined || !(await isThere(found)));
  const draft = `${note}.${globalThis.crypto.randomUUID()}.tmp`;
  try {
    await writeFile(isStale ? draft : note, text, { flag: 'wx', mode: 0o600 });
    if (isStale) await rename(draft, note);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST';
  }
};
