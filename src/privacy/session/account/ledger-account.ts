import { InputError } from '../../../domain/input-error.js';
import { SourceLost } from '../../../source/source-lost.js';
import type { Amount } from '../../accounting/amount.js';
import { type Charge, costOfAll } from '../../accounting/charge.js';
import { inTurn } from '../../in-turn.js';
import type { Reservation } from '../../ledger/ledger.js';
import type { Journal } from '../journal/journal.js';
import { type PastAct, pastRun, replay } from '../journal/past.js';
import { type Account, afterEnd, type Guard, type Work } from './account.js';
import { openBalance } from './balance.js';
import type { GroupJournal } from './group-account.js';
import { openPartitions, type SharedWork } from './open-partitions.js';
import { type Act, type PaidRunOptions, paidRun } from './paid-run.js';

/** An account whose every payment is durable in a ledger before the work starts, and committed before its result is seen. */
export interface LedgerAccount extends Account, Guard {
  /** What was paid, as the ledger has it. */
  readonly acts: readonly Act[];
  /** What open partitions may still spend or have spent: in no charge yet, and counted as spent. */
  pending(): Amount;
  /**
   * Reserves `most`, runs the work, and commits the charges that `due` then names, whether the work succeeded or not: but only
   * when its accounts are closed, so that nothing can be spent behind the commit. With a journal, what failed stays open instead, to
   * be gone on with.
   */
  share<T>(shared: SharedWork<T>): Promise<T>;
  /** Closes and leaves the run open in the ledger, so that a session with the same journal can go on with it. */
  suspend(): Promise<void>;
}

export interface LedgerAccountOptions extends PaidRunOptions {
  readonly check: Guard['check'];
  /** Whether the work was cancelled. */
  readonly interrupted: () => boolean;
  readonly journal?: Journal | undefined;
  /** Whether rows of a unit beyond a bound were left out at random when the table was opened: parallel groups need one choice for all. */
  readonly dropsAnew: boolean;
  /** Words of seeded noise drawn so far. */
  readonly drawn?: (() => number) | undefined;
}

export const ledgerAccount = (options: LedgerAccountOptions): LedgerAccount => {
  const { ledger, check, interrupted, journal, drawn } = options;
  const { currency, total } = options.budget;
  const turn = inTurn();
  const balance = openBalance(options.budget);
  const before = journal && pastRun(journal.entries);
  const run = paidRun(options, before);
  const past = replay(before?.acts ?? [], {
    again: (act) => {
      balance.charge(act.charges);
      run.paidBefore(actOf(act));
    },
    lost: (act) => {
      balance.lose(act.charges);
      run.paidBefore({ ...actOf(act), lost: true });
    },
  });
  const groupJournal = (partition: number, group: number): GroupJournal | undefined => {
    if (journal === undefined) return undefined;
    const at = { partition, group };
    return {
      acts: before!.groupActs(at),
      begin: (what, charges) => journal.append({ kind: 'begin', at, what, charges }),
      done: (values) => journal.append({ kind: 'done', at, values, drawn: drawn?.() }),
    };
  };
  const partitions = openPartitions({ ...options, turn, balance, run, past, groupJournal });
  let open = true;
  let left = false;

  const admit = (): void => {
    if (!open) throw afterEnd('session');
    if (!ledger.isOpen()) throw new InputError('ledger: must be open while its session is used, got a closed one');
    check();
  };

  const perform = async (
    reservation: Reservation,
    what: string,
    due: readonly Charge[],
    work: Work,
  ): Promise<readonly Float64Array[]> => {
    const at = reservation.id;
    let drawing = false;
    let isLost = false;
    try {
      const values = await work(async () => {
        drawing = true;
        await journal?.append({ kind: 'begin', at, what, charges: due });
      });
      await journal?.append({ kind: 'done', at, values, drawn: drawn?.() });
      return values;
    } catch (error) {
      isLost = error instanceof SourceLost;
      throw error;
    } finally {
      // Whatever became of it, something may have been read; but what was cancelled, or lost its rows, before noise was drawn has left
      // nothing, and is done anew by whoever goes on.
      if (drawing || journal === undefined || !(interrupted() || isLost)) await run.commit(reservation, due);
      else await reservation.cancelUnread('it was cancelled before noise was drawn');
    }
  };

  return {
    currency,
    total,
    charges: balance.charges,
    acts: run.acts,
    admit,
    check,
    remainingShare: balance.remainingShare,
    amount: balance.amount,
    pending: partitions.pending,
    async pay(what, due, work) {
      admit();
      return turn(async () => {
        check();
        // Answers that neighbours cannot differ in, such as a public total, cost nothing.
        if (due.length === 0) return work(async () => undefined);
        await run.recover();
        const again = past.take(what, due);
        if (again !== undefined) return again.values!;
        balance.afford(costOfAll(due, currency));
        balance.affordThresholds(due);
        // The first run of a ledger may have it count in gdp: this is that run, or comes after it.
        const counted = currency === 'gdp' ? currency : ledger.currency;
        const reservation = await run.reserve(costOfAll(due, counted), what);
        balance.charge(due);
        return perform(reservation, what, due, work);
      });
    },
    async share(shared) {
      admit();
      const partition = await turn(() => partitions.open(shared));
      // The work runs outside the turn: it may pay for other things on this account meanwhile.
      let failed = true;
      try {
        const result = await shared.work(partition.journalOf);
        failed = false;
        return result;
      } finally {
        if (failed && journal !== undefined) await partition.leave();
        else await partition.settle();
      }
    },
    async close() {
      open = false;
      // What was called before has its turn first; then every partition is known.
      await turn(async () => undefined);
      if (left) return;
      await partitions.settleAll();
      await turn(async () => {
        await run.recover().catch(() => undefined);
        await run.end();
      });
    },
    async suspend() {
      open = false;
      await turn(async () => undefined);
      await partitions.leaveAll();
      left = true;
    },
  };
};

/** An act of the session itself as the ledger has it. */
const actOf = ({ at, charges }: PastAct): Act => ({ reservation: at as number, charges });
