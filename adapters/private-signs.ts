import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { ledgerFormat } from '../src/privacy/ledger/record.js';
import { storedLedger } from '../src/privacy/ledger/stored-ledger.js';
import { fileStore } from './file-ledger.js';
import { knownLedger } from './ledger-place.js';
import { isBoundTo, tableIdentity } from './table-identity.js';

/** Ledgers are looked for among so many files of a folder, and in so much of each. */
const mostFiles = 500;
const firstBytes = 4096;

/**
 * Why a table must be taken for private, as a clause for "got a table that ...", or undefined: a ledger keeps its budget. Looks
 * beside the table, where a note beside it says, and among the ledgers in its folder and in the working directory. No sign is no
 * proof.
 */
export const privateSign = async (file: string): Promise<string | undefined> => {
  const ledger = await ledgerOf(file);
  return ledger === undefined ? undefined : `has a ledger, ${path.relative('.', ledger) || ledger}`;
};

const ledgerOf = async (table: string): Promise<string | undefined> => {
  const identity = await tableIdentity(table);
  const known = await knownLedger(identity);
  if (known !== undefined) return known;
  for (const folder of new Set([path.dirname(identity.path), process.cwd()]))
    for (const file of await ledgersIn(folder)) {
      const ledger = await storedLedger(fileStore(file)).catch(() => undefined);
      if (ledger !== undefined && isBoundTo(await ledger.tables(), identity, ledger.dataset)) return file;
    }
  return undefined;
};

const ledgersIn = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch(() => []);
  const found: string[] = [];
  for (const name of names.filter((one) => /\.(jsonl|ledger)$/.test(one)).slice(0, mostFiles))
    if (await isLedger(path.join(folder, name))) found.push(path.join(folder, name));
  return found;
};

const isLedger = async (file: string): Promise<boolean> => {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return false;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(firstBytes), 0, firstBytes, 0);
    return buffer.toString('utf8', 0, bytesRead).split('\n')[0].includes(`"format":"${ledgerFormat}"`);
  } catch {
    return false;
  } finally {
    await handle.close();
  }
};
