import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { manifestName } from '../src/bundle/file-names.js';
import { readManifest } from '../src/bundle/manifest-text.js';
import { InputError } from '../src/domain/input-error.js';
import type { KeepJournal } from '../src/flow/keep-journal.js';
import type { Ledger } from '../src/privacy/ledger/ledger.js';
import { sha256 } from '../src/privacy/ledger/sha256.js';
import { entryLine, type FoundJournal, headerLine, readJournal } from '../src/privacy/session/journal/journal-lines.js';
import { giveUp } from './give-up.js';

/** The folder beside a release's directory that holds what it has paid for, until the directory is there. */
const unfinishedOf = (directory: string): string => `${path.resolve(directory)}.unfinished`;

/** The journal of a release, as a folder that one process at a time works in. */
export interface Unfinished extends KeepJournal {
  readonly folder: string;
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

/** One process at a time: the lock of one of this machine that is no more is taken over. */
const lock = async (folder: string, shown: string): Promise<() => Promise<void>> => {
  const file = path.join(folder, lockName);
  for (let tries = 0; tries < 2; tries++) {
    try {
      const handle = await open(file, 'wx', 0o600);
      await handle.writeFile(`${process.pid} ${hostname()}`);
      await handle.close();
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const [pid, host] = (await readFile(file, 'utf8').catch(() => '')).split(' ');
      const isOther = host !== undefined && host !== hostname();
      if (isOther || (Number(pid) > 0 && Number(pid) !== process.pid && isAlive(Number(pid))))
        throw new InputError(
          `${shown}: is being worked on by process ${pid}${isOther ? ` of ${host}` : ''}; wait for it to end`,
        );
      await rm(file, { force: true });
    }
  }
  throw new InputError(`${shown}: is being worked on by another process; wait for it to end`);
};

const readFound = async (folder: string): Promise<FoundJournal | undefined> => {
  const bytes = await readFile(path.join(folder, journalName)).catch(() => undefined);
  return bytes === undefined ? undefined : readJournal(bytes);
};

/** A digest of where the folder is; refuses one that came from elsewhere: its acts may be under way there. */
const checkedPlace = async (folder: string, found: FoundJournal | undefined, shown: string): Promise<string> => {
  const place = sha256(new TextEncoder().encode(await realpath(folder)));
  if (found?.header.place !== undefined && found.header.place !== place)
    throw new InputError(
      `${shown}: must be where the release was begun, got a copy or a folder that was moved; put it back where it was`,
    );
  return place;
};

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
    throw new InputError(`${shown}: must be there to go on with, got no such folder`, { kind: 'nothing-unfinished' });
  if (!there) await mkdir(folder, { mode: 0o700 });
  const unlock = await lock(folder, shown);
  let handle: FileHandle | undefined;
  try {
    const found = await readFound(folder);
    if (!resume && found !== undefined)
      throw new InputError(`${shown}: must not be there for a new release, got one that was interrupted`, {
        kind: 'unfinished',
      });
    const file = path.join(folder, journalName);
    const place = await checkedPlace(folder, found, shown);
    if (found !== undefined && resume) {
      handle = await open(file, constants.O_RDWR);
      await handle.truncate(found.whole);
    }
    let end = found?.whole ?? 0;
    const write = async (bytes: Uint8Array): Promise<void> => {
      await handle!.write(bytes, 0, bytes.length, end);
      await handle!.sync();
      end += bytes.length;
    };
    return {
      folder,
      how,
      found: resume ? found : undefined,
      begin: async (header) => {
        handle = await open(file, 'w', 0o600);
        end = 0;
        await write(headerLine({ ...header, place }));
        await syncDirectory(folder);
      },
      append: (entry) => write(entryLine(entry)),
      remove: async () => {
        await handle?.close();
        handle = undefined;
        await removeOwn(folder);
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

/**
 * Whether the release that was interrupted is whole in its directory all the same: the interruption came after the directory appeared and before the
 * folder was taken away. Then the folder goes now.
 */
export const finishUnfinished = async (directory: string): Promise<boolean> => {
  const bytes = await readFile(path.join(directory, manifestName)).catch(() => undefined);
  if (bytes === undefined) return false;
  // Read before the folder is locked: what is there may be no release of ours.
  const { release } = readManifest(bytes).manifest;
  const unfinished = await openUnfinished(directory, { resume: true, how: '' });
  const isWhole = unfinished.found?.header.release === release;
  await (isWhole ? unfinished.remove() : unfinished.close());
  return isWhole;
};

/**
 * Gives up a release that was interrupted: its acts are settled in the ledger as far as they drew noise, what it had not spent goes back,
 * and the folder goes. Where a partition was under way, all that was reserved for it stays spent.
 */
export const discardUnfinished = async (directory: string, ledger: Ledger): Promise<void> => {
  const folder = unfinishedOf(directory);
  const unlock = await lock(folder, `${directory}.unfinished`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new InputError(`${directory}.unfinished: must be there to be given up, got no such folder`, {
      kind: 'nothing-unfinished',
    });
  });
  try {
    const found = await readFound(folder);
    await checkedPlace(folder, found, `${directory}.unfinished`);
    if (found !== undefined) await giveUp(found, ledger);
    await removeOwn(folder);
  } finally {
    await unlock();
  }
};

/** Takes away what was put there, and the folder where nobody else has put anything into it. */
const removeOwn = async (folder: string): Promise<void> => {
  for (const name of [journalName, lockName]) await rm(path.join(folder, name), { force: true });
  await rmdir(folder).catch(() => undefined);
};

// The journal's name is durable once its directory is; not every system lets a directory be opened.
const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
};
