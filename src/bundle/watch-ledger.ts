import type { Charge } from '../privacy/accounting/charge.js';
import type { Ledger } from '../privacy/ledger/ledger.js';

/** What was paid under one reservation of the ledger. */
export interface Act {
  /** The number of the reservation's record in the ledger. */
  readonly reservation: number;
  readonly charges: readonly Charge[];
}

export interface WatchedLedger {
  /** Give this one to the session. */
  readonly ledger: Ledger;
  /** Everything that was committed through it so far, in order. */
  readonly acts: readonly Act[];
}

/**
 * The same ledger, and beside it a list of what one session commits to it: the charges of a bundle, as the ledger has them.
 * `onReserved` hears of every reservation: from the first one on, an interrupted run may have spent something.
 */
export const watchLedger = (ledger: Ledger, onReserved?: () => void): WatchedLedger => {
  const acts: Act[] = [];
  return {
    acts,
    ledger: {
      ...ledger,
      reserve: async (request) => {
        const reservation = await ledger.reserve(request);
        onReserved?.();
        return {
          ...reservation,
          commit: async (done) => {
            await reservation.commit(done);
            acts.push({ reservation: reservation.id, charges: done.charges });
          },
        };
      },
    },
  };
};
