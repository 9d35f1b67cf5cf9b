import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { ledgerFormat } from '../src/privacy/ledger/record.js';
import { datasetName } from './private-file.js';
import { tableFile } from './table-file.js';

/** Ledgers are looked for among so many files of a folder, and in so much of each. */
const mostFiles = 500;
const firstBytes = 4096;

/**
 * Why a table must be taken for private, as a clause for "got a table that ...", or undefined: a ledger keeps its budget, or a
 * release says that it came from it. Looks beside the table and in the working directory. No sign is no proof.
 */
export const privateSign = async (file: string, releasedFrom: readonly string[] = []): Promise<string | undefined> => {
  const { path: resolved } = await tableFile(file);
  for (const ledger of [`${file}.ledger.jsonl`, `${resolved}.ledger.jsonl`])
    if (await stat(ledger).catch(() => undefined)) return `has a ledger, ${ledger}`;
  const name = datasetName(resolved);
  const base = path.basename(resolved);
  for (const dataset of releasedFrom)
    if (dataset === name || dataset.replace(/-[0-9a-f]{16}$/, '') === base)
      return `has the name of what was released, ${JSON.stringify(base)}`;
  for (const folder of new Set([path.dirname(resolved), process.cwd()]))
    for (const ledger of await ledgersIn(folder))
      if (ledger.dataset === name) return `has a ledger, ${path.relative('.', ledger.file) || ledger.file}`;
  return undefined;
};

const ledgersIn = async (folder: string): Promise<{ readonly file: string; readonly dataset: string }[]> => {
  const names = await readdir(folder).catch(() => []);
  const found: { file: string; dataset: string }[] = [];
  for (const name of names.filter((one) => /\.(jsonl|ledger)$/.test(one)).slice(0, mostFiles)) {
    const file = path.join(folder, name);
    const dataset = await datasetOf(file);
    if (dataset !== undefined) found.push({ file, dataset });
  }
  return found;
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
