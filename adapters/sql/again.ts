import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../../src/domain/input-error.js';
import { LostConnection } from './connection.js';

/** Tries to reach an engine that was lost, with longer and longer pauses, for `patience` milliseconds. */
export const reachAgain = async (
  shown: string,
  patience: number,
  reach: () => Promise<void>,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> => {
  const until = performance.now() + patience;
  for (let pause = 100; ; pause = Math.min(2 * pause, 2000))
    try {
      options.signal?.throwIfAborted();
      await reach();
      return;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof LostConnection)) throw error;
      if (performance.now() + pause > until)
        throw new InputError(`${shown}: must be within reach, got lost (${error.code}); try again when it is back`);
      await sleep(pause, undefined, options);
    }
};
