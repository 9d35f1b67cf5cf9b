import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';

/*
 * Folders for what a process works on: mode 0700, and named after the machine and the process, so that what a killed process
 * left behind can be told from what a living one needs.
 */
const machine = (): string => {
  let processes = '';
  try {
    // Containers may share a folder and number their processes each for itself.
    processes = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux.
  }
  return createHash('sha256').update(`${hostname()}\n${processes}`).digest('hex').slice(0, 8);
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and is somebody else's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

/** A folder that this user made, and no link: nobody else can put something in its place while it is removed. */
const isOwn = async (folder: string): Promise<boolean> => {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === process.getuid?.();
};

/** Removes this user's folders of processes of this machine that are no more. */
const removeStale = async (parent: string): Promise<void> => {
  const named = new RegExp(`^surmise-${machine()}-(\\d+)-\\w{6}$`);
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = named.exec(name)?.[1];
    const folder = path.join(parent, name);
    if (pid !== undefined && !isAlive(Number(pid)) && (await isOwn(folder)))
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
};

const looked = new Map<string, Promise<void>>();

/** Makes a private folder under `parent`, the system's place for temporary files unless told. The caller removes it. */
export const privateFolder = async (parent = tmpdir()): Promise<string> => {
  // Once for a process and a place: those that are killed are few.
  if (!looked.has(parent)) looked.set(parent, removeStale(parent));
  await looked.get(parent);
  return mkdtemp(path.join(parent, `surmise-${machine()}-${process.pid}-`));
};
