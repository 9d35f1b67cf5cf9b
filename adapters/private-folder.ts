import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';

/*
 * Folders for what a process works on: mode 0700, and named after the machine and the process, so that what a killed process
 * left behind can be told from what a living one needs.
 */
const machine = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and is somebody else's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

/** Removes the folders of processes of this machine that are no more. One that cannot be removed is somebody else's. */
const removeStale = async (parent: string): Promise<void> => {
  const named = new RegExp(`^surmise-${machine()}-(\\d+)-\\w{6}$`);
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = named.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(path.join(parent, name), { recursive: true, force: true }).catch(() => undefined);
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
