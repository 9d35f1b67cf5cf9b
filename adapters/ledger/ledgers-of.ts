import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { ledgerFormat } from '../../src/privacy/ledger/record/record.js';
import { type StoredLedger, storedLedger } from '../../src/privacy/ledger/stored-ledger.js';
import { isSameFile } from '../private/same-file.js';
import { fileStore } from './file-ledger.js';
import { signsBeside } from './ledger-place.js';
import { isBoundTo, type TableIdentity, tableIdentity } from './table-identity.js';

/** Ledgers are looked for among so many files of a folder, and in so much of each. */
const mostFiles = 500;
const firstBytes = 4096;
const ending = '.ledger.jsonl';

/**
 * The ledgers that keep a table's budget, as far as they can be found: beside the table by its name or by a note, and in its folder
 * or the working directory by the table they are bound to or stand beside, which may be the same file under another name. The
 * files `except`, private tables, are not opened.
 */
export const ledgersOf = async (file: string, except: readonly string[] = []): Promise<string[]> => {
  const identity = await tableIdentity(file);
  const found = new Set<string>();
  for (const beside of new Set([path.resolve(file), identity.path]))
    for (const sign of await signsBeside({ ...identity, path: beside })) found.add(sign);
  for (const folder of new Set([path.dirname(path.resolve(file)), ...foldersOf(identity)]))
    for (const ledger of await candidates(folder)) {
      if (await isAmong(ledger, [file, ...except])) continue;
      const beside = ledger.endsWith(ending) && (await isSameFile(ledger.slice(0, -ending.length), file));
      if (beside || (await isLedgerOf(ledger, identity))) found.add(ledger);
    }
  return [...found];
};

/** The ledger of a table's own budget that is bound to it, in its folder or the working directory, whatever either is called; none for tests. */
export const boundLedger = async (file: string): Promise<string | undefined> => {
  const identity = await tableIdentity(file);
  for (const folder of foldersOf(identity))
    for (const ledger of await candidates(folder))
      if (!(await isAmong(ledger, [file])) && (await isLedgerOf(ledger, identity, ({ seeds }) => !seeds)))
        return ledger;
  return undefined;
};

/** Where ledgers of a table are looked for. */
const foldersOf = ({ path: table, isElsewhere }: TableIdentity): Set<string> =>
  new Set([...(isElsewhere ? [] : [path.dirname(table)]), process.cwd()]);

const isAmong = async (file: string, others: readonly string[]): Promise<boolean> => {
  for (const other of others) if (await isSameFile(file, other)) return true;
  return false;
};

const candidates = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /\.(jsonl|ledger)$/.test(name))
    .slice(0, mostFiles)
    .map((name) => path.join(folder, name));
};

/** Whether a file is a ledger that was bound to this table. Tables may end like ledgers, so only its beginning is read at first. */
const isLedgerOf = async (
  file: string,
  table: TableIdentity,
  suits: (ledger: StoredLedger) => boolean = () => true,
): Promise<boolean> => {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return false;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(firstBytes), 0, firstBytes, 0);
    if (!buffer.toString('latin1', 0, bytesRead).split('\n')[0].includes(`"format":"${ledgerFormat}"`)) return false;
    const ledger = await storedLedger(fileStore(file));
    return suits(ledger) && isBoundTo(await ledger.tables(), table, ledger.dataset);
  } catch {
    // Not a sound ledger.
    return false;
  } finally {
    await handle.close();
  }
};
