import { writeFile } from 'node:fs/promises';
import { type WriteWholeOptions, writeWhole } from '../../adapters/write-whole.js';
import { InputError } from '../../src/domain/input-error.js';
import { systemReason } from '../system-error.js';

/**
 * Writes a text file whole or not at all. The target is checked before `make` does its work; what the system refuses is said
 * with the name the person gave, not with that of the temporary file.
 */
export const writeText = async (
  file: string,
  make: () => Promise<string>,
  options: WriteWholeOptions,
): Promise<void> => {
  await writeWhole(
    file,
    async (temporary) => {
      // Claims the place before the work, so that a closed directory is not found out after it.
      await writeFile(temporary, '').catch((error) => refuse(file, error));
      const text = await make();
      await writeFile(temporary, text).catch((error) => refuse(file, error));
    },
    options,
  );
};

const refuse = (file: string, error: unknown): never => {
  const reason = systemReason(error);
  throw reason === undefined ? error : new InputError(`${file}: ${reason}`);
};
