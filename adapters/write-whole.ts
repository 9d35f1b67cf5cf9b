import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../src/domain/input-error.js';

/** What happens to a file that is there already. */
export interface WriteWholeOptions {
  /** Replace what is there; without it an existing target is an error and stays untouched. */
  readonly overwrite?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a file appear whole or not at all. `write` fills the temporary file whose path it receives, in the target's own
 * directory; afterwards that file is flushed to the disk and takes the target's name in one step. When `write` rejects or
 * the signal aborts, the temporary file is removed and the target is as it was.
 */
export const writeWhole = async (
  file: string,
  write: (temporary: string) => Promise<void>,
  { overwrite = false, signal }: WriteWholeOptions = {},
): Promise<void> => {
  const target = path.resolve(file);
  const there = await checkTarget(target, file, overwrite);
  if (there === 'directory')
    throw new InputError(`${file}: must be a file to write, got a directory; name a file in it`);
  const temporary = temporaryName(target);
  try {
    signal?.throwIfAborted();
    await write(temporary);
    await flush(temporary);
    signal?.throwIfAborted();
    if (overwrite) await rename(temporary, target);
    else await claim(temporary, target, file);
    await flushDirectory(path.dirname(target));
  } finally {
    await rm(temporary, { force: true });
  }
};

/**
 * Makes a directory of files appear whole or not at all, as `writeWhole` does for one file. `write` fills the temporary
 * directory whose path it receives; what it returns is returned.
 */
export const writeWholeDirectory = async <Made>(
  directory: string,
  write: (temporary: string) => Promise<Made>,
  { overwrite = false, signal }: WriteWholeOptions = {},
): Promise<Made> => {
  const target = path.resolve(directory);
  const there = await checkTarget(target, directory, overwrite);
  if (there === 'file')
    throw new InputError(`${directory}: must be a directory to write, got a file; choose another name`);
  const temporary = temporaryName(target);
  const aside = temporaryName(target);
  try {
    signal?.throwIfAborted();
    await mkdir(temporary);
    const made = await write(temporary);
    await flushTree(temporary);
    signal?.throwIfAborted();
    // A directory cannot be renamed over one with files in it, so the old one steps aside first, and back if need be.
    if (there === 'directory') await rename(target, aside);
    try {
      await rename(temporary, target);
    } catch (error) {
      if (there === 'directory') await rename(aside, target);
      throw refusedName(error, directory);
    }
    await flushDirectory(path.dirname(target));
    return made;
  } finally {
    await rm(temporary, { recursive: true, force: true });
    await rm(aside, { recursive: true, force: true });
  }
};

const temporaryName = (target: string): string =>
  path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}.tmp`);

const checkTarget = async (
  target: string,
  shown: string,
  overwrite: boolean,
): Promise<'file' | 'directory' | undefined> => {
  const parent = await stat(path.dirname(target)).catch(() => undefined);
  if (!parent?.isDirectory())
    throw new InputError(`${shown}: must be in a directory that exists; make ${path.dirname(shown)} first`);
  const there = await stat(target).catch(() => undefined);
  if (there === undefined) return undefined;
  if (!overwrite) throw new InputError(`${shown}: must not exist yet; choose another name, or say to overwrite it`);
  return there.isDirectory() ? 'directory' : 'file';
};

// A hard link fails when the name was taken meanwhile, which a rename would silently replace.
const claim = async (temporary: string, target: string, shown: string): Promise<void> => {
  try {
    await link(temporary, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw refusedName(error, shown);
    // Some file systems have no hard links.
    await checkTarget(target, shown, false);
    await rename(temporary, target);
  }
};

const refusedName = (error: unknown, shown: string): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EEXIST' || code === 'ENOTEMPTY' || code === 'ENOTDIR'
    ? new InputError(`${shown}: must not exist yet, and it appeared during the work; choose another name`)
    : error;
};

const flush = async (file: string): Promise<void> => {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

// The new name itself is durable once its directory is; not every system lets a directory be opened.
const flushDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r').catch(() => undefined);
  if (handle === undefined) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
};

const flushTree = async (directory: string): Promise<void> => {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const inside = path.join(directory, entry.name);
    if (entry.isDirectory()) await flushTree(inside);
    else if (entry.isFile()) await flush(inside);
  }
  await flushDirectory(directory);
};
