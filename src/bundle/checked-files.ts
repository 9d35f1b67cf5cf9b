import { InputError } from '../domain/input-error.js';
import { sha256 } from '../privacy/ledger/sha256.js';
import type { FileEntry } from './manifest.js';

/** Files by name. */
export type BundleFiles = Readonly<Record<string, Uint8Array>>;

/** The bytes of a file of a release or an estimate. */
export const bytesOf = (files: BundleFiles, name: string, of: 'bundle' | 'estimate'): Uint8Array => {
  if (!Object.hasOwn(files, name)) throw new InputError(`${name}: must be among the files of the ${of}, got none`);
  return files[name];
};

/** The same, once they are those that an entry of the describing file has the size and hash of. */
export const checkedBytes = (
  files: BundleFiles,
  name: string,
  of: 'bundle' | 'estimate',
  { entries, describedBy }: { readonly entries: readonly FileEntry[]; readonly describedBy: string },
): Uint8Array => {
  const bytes = bytesOf(files, name, of);
  const entry = entries.find((file) => file.name === name);
  if (entry?.bytes !== bytes.length || entry.sha256 !== sha256(bytes))
    throw of === 'bundle'
      ? new InputError(`${name}: must be the file that ${describedBy} names, got a changed one`, {
          kind: 'verify-bundle',
        })
      : new InputError(`${name}: must be the file that ${describedBy} names, got a changed one; make it anew`);
  return bytes;
};
