import { execFileSync } from 'node:child_process';
import type { EngineServer } from '../../bench/engines/servers.js';

/** An engine as a test hears of it: another process started it. */
export type StartedEngine = Pick<EngineServer, 'name' | 'port' | 'groups'>;

/** The server of this name that `npm run test:engines` has started, if it did. */
export const startedEngine = (...names: readonly string[]): StartedEngine | undefined => {
  const started = JSON.parse(process.env.SURMISE_ENGINE ?? 'null') as StartedEngine | null;
  return started !== null && names.includes(started.name) ? started : undefined;
};

/** Threads of an engine's processes that compute, or would if a processor were free: the same on a machine that does other things too. */
export const busyThreads = (groups: readonly number[]): number =>
  execFileSync('ps', ['-A', '-L', '-o', 'pgid=,stat='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([group, state]) => groups.includes(Number(group)) && state?.startsWith('R')).length;
