import type { EngineServer } from '../../bench/engines/servers.js';

/** An engine as a test hears of it: another process started it. */
export type StartedEngine = Pick<EngineServer, 'name' | 'port' | 'groups'>;

/** The server of this name that `npm run test:engines` has started, if it did. */
export const startedEngine = (...names: readonly string[]): StartedEngine | undefined => {
  const started = JSON.parse(process.env.SURMISE_ENGINE ?? 'null') as StartedEngine | null;
  return started !== null && names.includes(started.name) ? started : undefined;
};
