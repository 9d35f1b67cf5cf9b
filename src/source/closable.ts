import { InputError } from '../domain/input-error.js';
import type { Running } from '../domain/running.js';
import type { Holding } from '../query/holding.js';
import type { Marginal } from '../query/marginal.js';
import type { PrivateSource } from './source.js';

/** A source that holds something that must be let go. */
export interface ClosableSource extends PrivateSource {
  /** Later counts reject; those under way are waited for, then what the source holds is let go. */
  close(): Promise<void>;
}

type Count<Q> = (queries: readonly Q[], running: Running) => Promise<Float64Array[]>;

/** Counts rows, and households if it can, until it is closed: `end` then lets go of what counting needs. */
export const closable = (
  countRows: Count<Marginal>,
  end: () => void | Promise<void>,
  countHouseholds?: Count<Holding> | undefined,
): Pick<ClosableSource, 'isOpen' | 'counts' | 'holdings' | 'close'> => {
  let open = true;
  const counting = new Set<Promise<unknown>>();
  const whileOpen =
    <Q>(count: Count<Q>) =>
    async (queries: readonly Q[], running: Running = {}): Promise<Float64Array[]> => {
      if (!open) throw new InputError('source: must be open to be counted, got a closed one');
      const counts = count(queries, running);
      counting.add(counts);
      return counts.finally(() => counting.delete(counts));
    };
  return {
    isOpen: () => open,
    counts: whileOpen(countRows),
    holdings: countHouseholds === undefined ? undefined : whileOpen(countHouseholds),
    async close() {
      open = false;
      await Promise.allSettled([...counting]);
      await end();
    },
  };
};
