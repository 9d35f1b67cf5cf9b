import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

let folder: string | undefined;

/** Writes bytes under a name in a folder of this process, for readers that take a path. The folder goes with the process. */
export const scratchFile = (name: string, bytes: Uint8Array): string => {
  if (folder === undefined) {
    folder = mkdtempSync(path.join(tmpdir(), 'surmise-fuzz-'));
    const made = folder;
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  }
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
};
