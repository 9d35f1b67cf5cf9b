import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import type { Watched } from './run-cli.js';

// Imported before the command line: tells what its process took, and the longest stretch of work of its main thread in which no event was
// heard, in processor time, so that other work on the machine does not count.
const file = process.env.SURMISE_WATCH;

/** Milliseconds of a processor that the main thread has had. */
const own = (): number => {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
};

if (isMainThread && file !== undefined) {
  // Workers must not write over it.
  delete process.env.SURMISE_WATCH;
  let last = own();
  let silence = 0;
  const look = (): void => {
    const now = own();
    silence = Math.max(silence, now - last);
    last = now;
  };
  setInterval(look, 5).unref();
  process.on('exit', () => {
    look();
    const { user, system } = process.cpuUsage();
    const watched: Watched = {
      seconds: performance.now() / 1000,
      processor: (user + system) / 1e6,
      bytes: process.resourceUsage().maxRSS * 1024,
      silence,
    };
    writeFileSync(file, JSON.stringify(watched));
  });
}
