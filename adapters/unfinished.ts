import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../src/domain/input-error.js';
import type { KeepJournal } from '../src/flow/keep-journal.js';
import { entryLine, type FoundJournal, headerLine, readJournal } from '../src/privacy/session/journal/journal-lines.js';

/** The folder beside a release's directory that holds what it has paid for, until the directory is there. */
export const unfinishedOf = (directory: string): string => `${path.resolve(directory)}.unfinished`;

/** The journal of a release, as a folder that one process at a time works in. */
export interface Unfinished extends KeepJournal {
  readonly folder: string;
  /** Whether anything was written that is worth going on with. */
  hasActs(): boolean;
  /** The release is whole, or given up: takes the folder away. */
  remove(): Promise<void>;
  /** Lets another process go on. */
  close(): Promise<void>;
}

const journalName = 'journal.jsonl';
const lockName = 'lock';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** One process at a time: the lock of one that is no more is taken over. */
const lock = async (folder: string, shown: string): Promise<() => Promise<void>> => {
  const file = path.join(folder, lockName);
  for (let tries = 0; tries < 2; tries++) {
    try {
      const handle = await open(file, 'wx', 0o600);
      await handle.writeFile(`${process.pid}`);
      await handle.close();
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const pid = Number(await readFile(file, 'utf8').catch(() => ''));
      if (pid > 0 && pid !== process.pid && isAlive(pid))
        throw new InputError(`${shown}: is being worked on by process ${pid}; wait for it to end`);
      await rm(file, { force: true });
    }
  }
  throw new InputError(`${shown}: is being worked on by another process; wait for it to end`);
};

const readFound = async (folder: string): Promise<FoundJournal | undefined> => {
  const bytes = await readFile(path.join(folder, journalName)).catch(() => undefined);
  return bytes === undefined ? undefined : readJournal(bytes);
};

/** What an interrupted release left beside its directory, without touching it; undefined where there is none. */
export const findUnfinished = async (directory: string): Promise<FoundJournal | undefined> =>
  readFound(unfinishedOf(directory));

/**
 * Opens the journal of a release that will be in `directory`: of the one that was interrupted there, with `resume`, or of a new one.
 * A release that was interrupted is never thrown away silently: without `resume` it is refused.
 */
export const openUnfinished = async (
  directory: string,
  { resume, how }: { readonly resume: boolean; readonly how: string },
): Promise<Unfinished> => {
  const folder = unfinishedOf(directory);
  const shown = `${directory}.unfinished`;
  const there = (await stat(folder).catch(() => undefined)) !== undefined;
  if (!there && resume)
    throw new InputError(`${shown}: must be there to go on with, got no such folder; leave out --resume`);
  await mkdir(folder, { mode: 0o700, recursive: true });
  const unlock = await lock(folder, shown);
  let handle: FileHandle | undefined;
  try {
    const found = await readFound(folder);
    const acts = found?.entries.length ?? 0;
    if (!resume && acts > 0)
      throw new InputError(
        `${shown}: holds a release that was interrupted and has paid for ${acts === 1 ? 'something' : 'several things'}; add --resume to go on with it, or --discard to give it up (what it spent stays spent)`,
      );
    const file = path.join(folder, journalName);
    if (found !== undefined && resume) {
      handle = await open(file, constants.O_RDWR);
      await handle.truncate(found.whole);
    }
    let [end, written] = [found?.whole ?? 0, acts];
    const write = async (bytes: Uint8Array): Promise<void> => {
      await handle!.write(bytes, 0, bytes.length, end);
      await handle!.sync();
      end += bytes.length;
    };
    return {
      folder,
      how,
      found: resume ? found : undefined,
      hasActs: () => written > 0,
      begin: async (header) => {
        handle = await open(file, 'w', 0o600);
        end = 0;
        await write(headerLine(header));
        await syncDirectory(folder);
      },
      append: async (entry) => {
        await write(entryLine(entry));
        written++;
      },
      remove: async () => {
        await handle?.close();
        handle = undefined;
        await rm(folder, { recursive: true, force: true });
      },
      close: async () => {
        await handle?.close();
        handle = undefined;
        await unlock();
      },
    };
  } catch (error) {
    await handle?.close();
    await unlock();
    throw error;
  }
};

// The journal's name is durable once its directory is; not every system lets a directory be opened.
const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
};
