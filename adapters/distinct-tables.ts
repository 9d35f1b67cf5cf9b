import { InputError } from '../src/domain/input-error.js';
import { tableFile } from './table-file.js';

/**
 * Refuses a public table that is the private one: whatever is learned from it would be taken for public. Finds the same file under
 * another name, not a copy of it.
 */
export const checkDistinct = async (privateFile: string, publicFile: string): Promise<void> => {
  const [hidden, open] = await Promise.all([tableFile(privateFile), tableFile(publicFile)]);
  if (hidden.path === open.path)
    throw new InputError(
      `${publicFile}: must be public, got the private table itself; name a table that everybody may see`,
    );
};
