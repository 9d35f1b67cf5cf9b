import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Records that are written to see how long they take; the middle one counts. */
const records = 7;

/** What was measured, by folder: a process that plans twice plans the same. */
const known = new Map<string, Promise<number>>();

/**
 * Seconds that a record of a ledger or a journal takes to reach the disk of a folder, by default of the one for what is temporary: written there
 * and removed, once in a process. 0 where nothing can be written.
 */
export const syncSeconds = (folder = tmpdir()): Promise<number> => {
  const seconds = known.get(folder) ?? measured(folder);
  known.set(folder, seconds);
  return seconds;
};

const measured = async (folder: string): Promise<number> => {
  try {
    const place = await mkdtemp(path.join(folder, '.surmise-sync-'));
    try {
      const handle = await open(path.join(place, 'records'), 'w');
      try {
        const taken: number[] = [];
        for (let k = 0; k < records; k++) {
          const start = performance.now();
          await handle.write('a record of about as many bytes as an act has in a ledger, or in a journal\n');
          await handle.sync();
          taken.push(performance.now() - start);
        }
        return taken.sort((a, b) => a - b)[records >> 1] / 1000;
      } finally {
        await handle.close();
      }
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  } catch {
    return 0;
  }
};
