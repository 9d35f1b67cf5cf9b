import { writeFile } from 'node:fs/promises';
import { asNamed } from './system-error.js';

export interface WriteTextOptions {
  /** Replace a file that exists. */
  readonly overwrite: boolean;
  readonly signal: AbortSignal;
}

/**
 * Makes something and writes its text into a file, whole or not at all; without a file it is only made. The target is checked before
 * the work; what the system refuses is said with the name the person gave, not with that of the temporary file.
 */
export const writeText = async <T>(
  file: string | undefined,
  make: () => Promise<T>,
  textOf: (made: T) => string | Promise<string>,
  options: WriteTextOptions,
): Promise<T> => {
  if (file === undefined) return make();
  const { writeWhole } = await import('../../adapters/index.js');
  let made: T;
  await writeWhole(
    file,
    async (temporary) => {
      // Claims the place before the work, so that a closed directory is not found out after it.
      await writeFile(temporary, '').catch(asNamed(file));
      made = await make();
      await writeFile(temporary, await textOf(made)).catch(asNamed(file));
    },
    options,
  );
  return made!;
};
