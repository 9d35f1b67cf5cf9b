import type { Amount } from '../../accounting/amount.js';
import type { Budget } from '../../accounting/budget.js';
import type { Charge } from '../../accounting/charge.js';
import type { Ledger, LedgerRun, Reservation } from '../../ledger/ledger.js';
import { costInLedger } from '../ledger-cost.js';
import { ownCopy } from '../own-copy.js';

/** What was paid under one reservation of the ledger. */
export interface Act {
  /** The number of the reservation's record in the ledger. */
  readonly reservation: number;
  readonly charges: readonly Charge[];
}

export interface PaidRunOptions {
  readonly ledger: Ledger;
  readonly budget: Budget;
  /** Names what comes of it, 32 hexadecimal digits. */
  readonly release: string;
  readonly seeded: boolean;
  /** Hears that something was reserved: from then on it may have been spent. */
  readonly onReserved?: (() => void) | undefined;
}

/** A session's run in its ledger: begun with the first act, so that a session without one leaves no trace. One call at a time. */
export interface PaidRun {
  /** What was paid, as the ledger has it. */
  readonly acts: readonly Act[];
  /** The right to one act, in the ledger's currency; durable when it comes back. */
  reserve(amount: Amount, what: string): Promise<Reservation>;
  commit(reservation: Reservation, done: readonly Charge[]): Promise<void>;
  /** Gives back what no act has reserved. */
  end(): Promise<void>;
}

export const paidRun = ({ ledger, budget, release, seeded, onReserved }: PaidRunOptions): PaidRun => {
  const acts: Act[] = [];
  let run: LedgerRun | undefined;
  return {
    acts,
    async reserve(amount, what) {
      // The whole budget is set aside before the first act, so that no later act can find it gone.
      run ??= await ledger.run({
        amount: costInLedger(budget.total, budget.currency, ledger),
        what: 'a release',
        release,
        seeded,
      });
      onReserved?.();
      return run.reserve({ amount, what });
    },
    async commit(reservation, done) {
      // Handed out by the session: nobody may change what was paid.
      acts.push({ reservation: reservation.id, charges: ownCopy(done, 'charges') });
      await reservation.commit(done);
    },
    async end() {
      const ending = run;
      run = undefined;
      // Where it cannot be recorded, or another process has ended the run, the rest stays reserved or is back already: neither may
      // cost what was paid for.
      await ending?.end('the session was closed').catch(() => undefined);
    },
  };
};
