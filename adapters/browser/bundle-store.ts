import type { BundleFiles } from '../../src/bundle/checked-files.js';
import { entryOf } from '../../src/bundle/make-bundle.js';
import type { BundleStore } from '../../src/bundle/verify-bundle.js';
import { readCodes } from './read-codes.js';
import { tableBlob } from './table-blob.js';

/** The files of a release in a page's memory. */
export const bundleStore = (files: BundleFiles): BundleStore => {
  const fileOf = (name: string): Uint8Array | undefined => (Object.hasOwn(files, name) ? files[name] : undefined);
  return {
    read: async (name) => fileOf(name),
    describe: async (name) => {
      const bytes = fileOf(name);
      return bytes === undefined ? undefined : entryOf(name, bytes);
    },
    names: async () => Object.keys(files),
    rows: async (name, domain) => {
      const blob = new Blob([(fileOf(name) ?? new Uint8Array()) as Uint8Array<ArrayBuffer>]);
      return (await readCodes(tableBlob(name, blob), domain)).table;
    },
  };
};
