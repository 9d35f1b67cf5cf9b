import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type FileEntry, manifestName, measurementsName, modelName, replicatesName } from '../src/bundle/manifest.js';
import { type Bundle, openBundle } from '../src/bundle/open-bundle.js';
import type { BundleStore } from '../src/bundle/verify-bundle.js';
import { InputError } from '../src/domain/input-error.js';
import { readTable } from './read-table.js';

/** Size and SHA-256 of a file, read in parts: a synthetic table may be larger than memory. */
export const describeFile = async (file: string): Promise<FileEntry> => {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(file), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  });
  return { name: path.basename(file), bytes, sha256: hash.digest('hex') };
};

/** The files of a release's directory. */
export const bundleDirectory = async (directory: string): Promise<BundleStore> => {
  const found = await stat(directory).catch(() => undefined);
  if (!found?.isDirectory())
    throw new InputError(
      `${directory}: must be the directory of a release, got ${found === undefined ? 'no such directory' : 'a file'}; check the path`,
    );
  const ifThere = async <T>(name: string, use: (file: string) => Promise<T>): Promise<T | undefined> => {
    const file = path.join(directory, name);
    const there = await stat(file).catch(() => undefined);
    return there?.isFile() ? use(file) : undefined;
  };
  return {
    read: (name) => ifThere(name, (file) => readFile(file)),
    describe: (name) => ifThere(name, describeFile),
    rows: (name, domain) => readTable(path.join(directory, name), domain),
    // What a file manager leaves behind is no part of a release.
    names: async () => (await readdir(directory)).filter((name) => !name.startsWith('.')),
  };
};

/** Restores a release from its directory: its model answers and draws rows without private data. */
export const readBundle = async (directory: string): Promise<Bundle> => {
  const store = await bundleDirectory(directory);
  const files: [string, Uint8Array][] = [];
  for (const name of [manifestName, modelName, measurementsName]) {
    const bytes = await store.read(name);
    if (bytes === undefined)
      throw new InputError(`${path.join(directory, name)}: must exist in the directory of a release, got no such file`);
    files.push([name, bytes]);
  }
  const replicates = await store.read(replicatesName);
  if (replicates !== undefined) files.push([replicatesName, replicates]);
  return openBundle(Object.fromEntries(files));
};
