import { realpath, stat } from 'node:fs/promises';
import { isAddress } from '../sql/address.js';
import { addressIdentity } from '../sql/engines.js';

/**
 * Whether two names lead to one file, or two addresses to one table of a database: a file by links of either kind, or by a folder that is mounted twice. Asks the file system only; a
 * name that leads nowhere is no file.
 */
export const isSameFile = async (one: string, two: string): Promise<boolean> => {
  if (isAddress(one) && isAddress(two)) return (await addressIdentity(one)) === (await addressIdentity(two));
  const [a, b] = await Promise.all([one, two].map((file) => stat(file, { bigint: true }).catch(() => undefined)));
  if (a === undefined || b === undefined) return false;
  // Some network file systems number no files; there the path is all there is.
  if (a.ino !== 0n && a.dev === b.dev && a.ino === b.ino) return true;
  return (await realpath(one)) === (await realpath(two));
};
