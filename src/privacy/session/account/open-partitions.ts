import { InputError } from '../../../domain/input-error.js';
import { type Amount, addAmounts, formatAmount, zeroAmount } from '../../accounting/amount.js';
import type { Budget } from '../../accounting/budget.js';
import type { Charge } from '../../accounting/charge.js';
import type { inTurn } from '../../in-turn.js';
import type { Ledger, Reservation } from '../../ledger/ledger.js';
import type { Journal } from '../journal/journal.js';
import type { Replay } from '../journal/past.js';
import { costInLedger } from '../ledger-cost.js';
import type { Guard } from './account.js';
import type { Balance } from './balance.js';
import type { GroupJournal } from './group-account.js';
import type { PaidRun } from './paid-run.js';

/** Groups that pay by themselves from what was reserved for the dearest of them. */
export interface SharedWork<T> {
  readonly what: string;
  /** What any of them may spend. */
  readonly most: Amount;
  /** What they have spent together, as charges. */
  readonly due: () => readonly Charge[];
  /** Is told where each group keeps its journal, if there is one. */
  readonly work: (journalOf: (group: number) => GroupJournal | undefined) => Promise<T>;
  /** Ends their accounts: afterwards `due` stays as it is. */
  readonly close: () => Promise<void>;
}

/** A partition whose groups may still spend. */
export interface OpenPartition {
  readonly most: Amount;
  readonly journalOf: (group: number) => GroupJournal | undefined;
  /** Closes the groups and commits what they spent; once, however often it is called. */
  settle(): Promise<void>;
  /** Closes the groups and commits nothing: to be gone on with. */
  leave(): Promise<void>;
}

export interface OpenPartitions {
  /** Reserves for the groups what the dearest of them may spend; in turn. */
  open(shared: SharedWork<unknown>): Promise<OpenPartition>;
  /** What they hold: in no charge yet, and counted as spent. */
  pending(): Amount;
  settleAll(): Promise<void>;
  leaveAll(): Promise<void>;
}

/** What a partition of an account needs of it. */
interface Behind {
  readonly ledger: Ledger;
  readonly budget: Budget;
  readonly check: Guard['check'];
  readonly turn: ReturnType<typeof inTurn>;
  readonly balance: Balance;
  readonly run: PaidRun;
  readonly journal?: Journal | undefined;
  readonly past: Replay;
  /** Whether rows of a unit beyond a bound were left out at random when the table was opened. */
  readonly dropsAnew: boolean;
  readonly groupJournal: (partition: number, group: number) => GroupJournal | undefined;
}

/** The reservation of a partition, while it is open. */
interface Held {
  readonly id: number;
  readonly reservation: Reservation | undefined;
}

/** The partitions of an account that are not settled yet. */
export const openPartitions = (behind: Behind): OpenPartitions => {
  const { ledger, budget, check, turn, balance, run, journal, past, dropsAnew, groupJournal } = behind;
  const partitions = new Set<OpenPartition>();

  /** What the ledger holds for the groups; no reservation where an interrupted run has settled it. */
  const reserve = async ({ what, most }: SharedWork<unknown>): Promise<Held> => {
    await run.recover();
    const again = past.takePartition(what, formatAmount(most));
    if (again !== undefined) {
      const reservation = run.heldBy(again.at);
      if (reservation !== undefined && dropsAnew)
        throw new InputError(
          'partition: cannot go on in the middle of groups, since which rows of a unit are left out was drawn anew, got one that was interrupted there; discard the release',
        );
      return { id: again.at, reservation };
    }
    balance.afford(most);
    const reservation = await run.reserve(costInLedger(most, budget.currency, ledger), what);
    await journal?.append({ kind: 'partition', what, most: formatAmount(most), at: reservation.id });
    return { id: reservation.id, reservation };
  };

  /** Turns what was held for the groups into what they were charged. */
  const settle = async (
    partition: OpenPartition,
    { id, reservation }: Held,
    { most, due }: SharedWork<unknown>,
  ): Promise<void> => {
    const done = due();
    balance.charge(done);
    balance.giveBack(most);
    partitions.delete(partition);
    if (reservation === undefined) run.paidBefore({ reservation: id, charges: done });
    // Without a charge no group has read anything.
    else if (done.length === 0) await reservation.cancelUnread('no group spent anything');
    else await run.commit(reservation, done);
  };

  return {
    async open(shared) {
      const { most, close } = shared;
      check();
      const held = await reserve(shared);
      balance.hold(most);
      const closeAndSettle = async (): Promise<void> => {
        await close();
        await turn(() => settle(partition, held, shared));
      };
      let settled: Promise<void> | undefined;
      const partition: OpenPartition = {
        most,
        journalOf: (group) => groupJournal(held.id, group),
        settle: () => {
          settled ??= closeAndSettle();
          return settled;
        },
        leave: () => {
          settled ??= close();
          return settled;
        },
      };
      partitions.add(partition);
      return partition;
    },
    pending: () => [...partitions].reduce((sum, { most }) => addAmounts(sum, most), zeroAmount),
    async settleAll() {
      await Promise.all([...partitions].map(({ settle }) => settle()));
    },
    async leaveAll() {
      await Promise.all([...partitions].map(({ leave }) => leave()));
    },
  };
};
