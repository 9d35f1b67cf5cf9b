import { open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ledgerFormat } from '../src/privacy/ledger/record.js';
import { datasetName } from './private-file.js';
import { isSameFile } from './same-file.js';

/** Ledgers are looked for among so many files of a folder, and in so much of each. */
const mostFiles = 500;
const firstBytes = 4096;
const ending = '.ledger.jsonl';

/**
 * The ledgers that keep a table's budget, as far as they can be found: beside the table by its name, and in its folder or the working
 * directory by the dataset they name or by the table they stand beside, which may be the same file under another name. The file
 * `except`, a private table, is not opened.
 */
export const ledgersOf = async (file: string, except?: string): Promise<string[]> => {
  const resolved = await realpath(file);
  const found = new Set<string>();
  for (const ledger of [`${file}${ending}`, `${resolved}${ending}`])
    if (await stat(ledger).catch(() => undefined)) found.add(path.resolve(ledger));
  const dataset = datasetName(resolved);
  for (const folder of new Set([path.dirname(path.resolve(file)), path.dirname(resolved), process.cwd()]))
    for (const ledger of await candidates(folder)) {
      if (await isSameFile(ledger, file)) continue;
      if (except !== undefined && (await isSameFile(ledger, except))) continue;
      const beside = ledger.endsWith(ending) && (await isSameFile(ledger.slice(0, -ending.length), file));
      if (beside || (await datasetOf(ledger)) === dataset) found.add(ledger);
    }
  return [...found];
};

const candidates = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /\.(jsonl|ledger)$/.test(name))
    .slice(0, mostFiles)
    .map((name) => path.join(folder, name));
};

/** The dataset that a file is the ledger of; undefined for any other file. */
const datasetOf = async (file: string): Promise<string | undefined> => {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(firstBytes), 0, firstBytes, 0);
    const line = buffer.toString('utf8', 0, bytesRead).split('\n')[0];
    const record = JSON.parse(line) as { kind?: unknown; format?: unknown; dataset?: unknown };
    return record.kind === 'open' && record.format === ledgerFormat && typeof record.dataset === 'string'
      ? record.dataset
      : undefined;
  } catch {
    // Not a ledger.
    return undefined;
  } finally {
    await handle.close();
  }
};
