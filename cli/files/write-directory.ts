import type { Io } from '../command.js';
import { asNamed } from './system-error.js';

/** Makes a directory whole or not at all, and hands on what its making gave. What the system refuses is said with the name given. */
export const writeDirectory = async <T>(
  directory: string,
  fill: (temporary: string) => Promise<T>,
  { running: { signal } }: Pick<Io, 'running'>,
): Promise<T> => {
  const { writeWholeDirectory } = await import('../../adapters/index.js');
  let made: T;
  await writeWholeDirectory(
    directory,
    async (temporary) => {
      made = await fill(temporary);
    },
    { signal },
  ).catch(asNamed(directory));
  return made!;
};
