/**
 * To be awaited in a long loop: lets timers and input through every 50 ms, and rejects when the signal has aborted. A loop over
 * small models never waits for anything otherwise, and nobody could cancel it.
 */
export const eventYielder = (signal: AbortSignal | undefined): (() => Promise<void>) => {
  let heard = Date.now();
  return async () => {
    signal?.throwIfAborted();
    if (Date.now() - heard < 50) return;
    await new Promise((resolve) => setTimeout(resolve));
    heard = Date.now();
    signal?.throwIfAborted();
  };
};
