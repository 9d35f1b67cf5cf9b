import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { BundleFiles } from '../src/bundle/checked-files.js';
import { manifestName, measurementsName, modelName, replicatesName } from '../src/bundle/file-names.js';
import type { FileEntry } from '../src/bundle/manifest.js';
import {
  type AnyBundle,
  type Bundle,
  openAnyBundle,
  openBundle,
  openHouseholdBundle,
} from '../src/bundle/open-bundle.js';
import type { BundleStore } from '../src/bundle/verify-bundle.js';
import { InputError } from '../src/domain/input-error.js';
import { bytesText, limits } from '../src/domain/limits.js';
import type { HouseholdModel } from '../src/model/model.js';
import { fileDigest } from './private/file-digest.js';
import { readTable } from './table/read-table.js';

/** What a manifest says of a file: its name, size and SHA-256. */
export const describeFile = async (file: string): Promise<FileEntry> => ({
  name: path.basename(file),
  ...(await fileDigest(file)),
});

/** What Node reads into memory at once. */
const mostBinary = 2 ** 31 - 1;

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
    read: (name) =>
      ifThere(name, async (file) => {
        const { size } = await stat(file);
        const most = name.endsWith('.json') ? limits.jsonBytes : mostBinary;
        if (size > most)
          throw new InputError(
            `${file}: must have at most ${bytesText(most)}, got ${bytesText(size)}; it is none of ours`,
          );
        return readFile(file);
      }),
    describe: (name) => ifThere(name, describeFile),
    rows: (name, domain) => readTable(path.join(directory, name), domain),
    // What a file manager leaves behind is no part of a release.
    names: async () => (await readdir(directory)).filter((name) => !name.startsWith('.')),
  };
};

/** Restores a release from its directory: its model answers and draws rows without private data. */
export const readBundle = async (directory: string): Promise<Bundle> => openBundle(await bundleFiles(directory));

/** The same of a release of households. */
export const readHouseholdBundle = async (directory: string): Promise<Bundle<HouseholdModel>> =>
  openHouseholdBundle(await bundleFiles(directory));

/** The same of either kind. */
export const readAnyBundle = async (directory: string): Promise<AnyBundle> =>
  openAnyBundle(await bundleFiles(directory));

/** The files of a release that are read back. */
const bundleFiles = async (directory: string): Promise<BundleFiles> => {
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
  return Object.fromEntries(files);
};
