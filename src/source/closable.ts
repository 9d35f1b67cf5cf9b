import { InputError } from '../domain/input-error.js';
import type { PrivateSource } from './source.js';

/** A source that holds something that must be let go. */
export interface ClosableSource extends PrivateSource {
  /** Later counts reject; those under way are waited for, then what the source holds is let go. */
  close(): Promise<void>;
}

type Count = (
  marginals: Parameters<PrivateSource['counts']>[0],
  signal: AbortSignal | undefined,
) => Promise<Float64Array[]>;

/** Counts until it is closed: `end` then lets go of what `count` needs. */
export const closable = (
  count: Count,
  end: () => void | Promise<void>,
): Pick<ClosableSource, 'isOpen' | 'counts' | 'close'> => {
  let open = true;
  const counting = new Set<Promise<unknown>>();
  return {
    isOpen: () => open,
    async counts(marginals, { signal } = {}) {
      if (!open) throw new InputError('source: must be open to be counted, got a closed one');
      const counts = count(marginals, signal);
      counting.add(counts);
      return counts.finally(() => counting.delete(counts));
    },
    async close() {
      open = false;
      await Promise.allSettled([...counting]);
      await end();
    },
  };
};
