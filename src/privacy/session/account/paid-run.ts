import { InputError } from '../../../domain/input-error.js';
import type { Amount } from '../../accounting/amount.js';
import type { Budget } from '../../accounting/budget.js';
import type { Charge } from '../../accounting/charge.js';
import type { Ledger, LedgerRun, Reservation } from '../../ledger/ledger.js';
import { isPartition, type PastRun } from '../journal/past.js';
import { costInLedger } from '../ledger-cost.js';
import { ownCopy } from '../own-copy.js';

/** What was paid under one reservation of the ledger. */
export interface Act {
  /** The number of the reservation's record in the ledger. */
  readonly reservation: number;
  readonly charges: readonly Charge[];
  /** Noise may have been drawn for it, and an interruption came before anybody could see what came of it. */
  readonly lost?: true;
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
  /** Finds what an interrupted run of the same release left in the ledger, and settles it; once, however often it is called. */
  recover(): Promise<void>;
  /** The right to one act, in the ledger's currency; durable when it comes back. */
  reserve(amount: Amount, what: string): Promise<Reservation>;
  /** The right of a partition that was open when the run was interrupted; undefined where it was settled. */
  heldBy(partition: number): Reservation | undefined;
  commit(reservation: Reservation, done: readonly Charge[]): Promise<void>;
  /** Counts what was paid before as an act of this run. */
  paidBefore(act: Act): void;
  /** Gives back what no act has reserved. */
  end(): Promise<void>;
}

/** With `past`, the run of an earlier session that was interrupted is gone on with. */
export const paidRun = (
  { ledger, budget, release, seeded, onReserved }: PaidRunOptions,
  past: PastRun | undefined,
): PaidRun => {
  const acts: Act[] = [];
  const held = new Map<number, Reservation>();
  let run: LedgerRun | undefined;
  let ended = false;

  /** An act is lost or done where its journal says so; where there is no word of it, no noise was drawn. */
  const settle = async (reservation: Reservation): Promise<void> => {
    const act = past!.find(reservation.id);
    if (act === undefined) await reservation.cancelUnread('it was interrupted before noise was drawn');
    else if (isPartition(act)) held.set(reservation.id, reservation);
    else await reservation.commit(act.charges);
  };

  const find = async (): Promise<void> => {
    if (past === undefined) return;
    const left = await ledger.resume(release);
    if (left === undefined) {
      if (past.acts.length === 0) return;
      throw new InputError(
        `ledger: must hold the release that goes on, got none of the name ${release}; name the ledger it began with`,
      );
    }
    run = left.run;
    ended = left.run === undefined;
    onReserved?.();
    for (const reservation of left.open) await settle(reservation);
  };
  let found: Promise<void> | undefined;
  const recover = (): Promise<void> => {
    found ??= find();
    return found;
  };

  return {
    acts,
    recover,
    async reserve(amount, what) {
      await recover();
      if (ended)
        throw new InputError(
          'run: must be open to measure more, got one that has ended; start the release anew with what the ledger has left',
        );
      // The whole budget is set aside before the first act, so that no later act can find it gone.
      run ??= await ledger.run({
        amount: costInLedger(budget.total, budget.currency, ledger),
        what: 'a release',
        release,
        seeded,
        currency: budget.currency === 'gdp' ? 'gdp' : undefined,
      });
      onReserved?.();
      return run.reserve({ amount, what });
    },
    heldBy: (partition) => held.get(partition),
    async commit(reservation, done) {
      // Handed out by the session: nobody may change what was paid.
      acts.push({ reservation: reservation.id, charges: ownCopy(done, 'charges') });
      await reservation.commit(done);
    },
    paidBefore: (act) => {
      acts.push({ ...act, charges: ownCopy(act.charges, 'charges') });
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
