import { realpath, stat } from 'node:fs/promises';
import { InputError } from '../../src/domain/input-error.js';
import type { BoundTable } from '../../src/privacy/ledger/chain.js';
import { sha256 } from '../../src/privacy/ledger/sha256.js';
import { isAddress } from '../sql/address.js';
import { addressIdentity } from '../sql/engines.js';

/** Which table it is, whatever it is called: links lead to the same file. Nothing of it leaves the process but in hashes. */
export interface TableIdentity {
  /** Absolute, with links resolved. */
  readonly path: string;
  /** Device and inode: shared by all hard links, and kept when a folder is renamed. */
  readonly file: string;
  /** How many names the file has. */
  readonly names: number;
  /** Set for a table of a database: nothing can stand beside it, and where it is is all that there is to know it by. */
  readonly isElsewhere?: boolean | undefined;
}

export const tableIdentity = async (table: string): Promise<TableIdentity> => {
  if (isAddress(table)) {
    const place = await addressIdentity(table);
    return { path: place, file: place, names: 1, isElsewhere: true };
  }
  const found = await stat(table, { bigint: true }).catch(() => {
    throw new InputError(`${table}: must be a file that exists; check the path`);
  });
  return { path: await realpath(table), file: `${found.dev}:${found.ino}`, names: Number(found.nlink) };
};

/** What a ledger keeps of a table: hashes together with the dataset's random name, so that two ledgers show nothing in common. */
export const boundTable = ({ path, file }: TableIdentity, dataset: string): BoundTable => {
  const hash = (text: string) => sha256(new TextEncoder().encode(`${dataset}\n${text}`));
  return { path: hash(path), file: hash(file) };
};

/** Whether one of the tables that a ledger is bound to is this one. */
export const isBoundTo = (tables: readonly BoundTable[], table: TableIdentity, dataset: string): boolean => {
  const own = boundTable(table, dataset);
  return tables.some(({ path, file }) => path === own.path || file === own.file);
};
