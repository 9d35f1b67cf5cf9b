import { type Amount, addAmounts, zeroAmount } from '../../accounting/amount.js';
import type { Budget } from '../../accounting/budget.js';
import type { Charge } from '../../accounting/charge.js';
import type { inTurn } from '../../in-turn.js';
import type { Ledger, Reservation } from '../../ledger/ledger.js';
import { costInLedger } from '../ledger-cost.js';
import type { Guard } from './account.js';
import type { Balance } from './balance.js';
import type { PaidRun } from './paid-run.js';

/** Groups that pay by themselves from what was reserved for the dearest of them. */
export interface SharedWork<T> {
  readonly what: string;
  /** What any of them may spend. */
  readonly most: Amount;
  /** What they have spent together, as charges. */
  readonly due: () => readonly Charge[];
  readonly work: () => Promise<T>;
  /** Ends their accounts: afterwards `due` stays as it is. */
  readonly close: () => Promise<void>;
}

/** A partition whose groups may still spend. */
export interface OpenPartition {
  readonly most: Amount;
  /** Closes the groups and commits what they spent; once, however often it is called. */
  settle(): Promise<void>;
}

export interface OpenPartitions {
  /** Reserves for the groups what the dearest of them may spend; in turn. */
  open(shared: SharedWork<unknown>): Promise<OpenPartition>;
  /** What they hold: in no charge yet, and counted as spent. */
  pending(): Amount;
  settleAll(): Promise<void>;
}

/** What a partition of an account needs of it. */
interface Behind {
  readonly ledger: Ledger;
  readonly budget: Budget;
  readonly check: Guard['check'];
  readonly turn: ReturnType<typeof inTurn>;
  readonly balance: Balance;
  readonly run: PaidRun;
}

/** The partitions of an account that are not settled yet. */
export const openPartitions = ({ ledger, budget, check, turn, balance, run }: Behind): OpenPartitions => {
  const partitions = new Set<OpenPartition>();

  /** Turns what was held for the groups into what they were charged. */
  const settle = async (
    partition: OpenPartition,
    reservation: Reservation,
    { most, due }: SharedWork<unknown>,
  ): Promise<void> => {
    const done = due();
    balance.charge(done);
    balance.giveBack(most);
    partitions.delete(partition);
    // Without a charge no group has read anything.
    if (done.length === 0) await reservation.cancelUnread('no group spent anything');
    else await run.commit(reservation, done);
  };

  return {
    async open(shared) {
      const { what, most, close } = shared;
      check();
      balance.afford(most);
      const reservation = await run.reserve(costInLedger(most, budget.currency, ledger), what);
      balance.hold(most);
      const closeAndSettle = async (): Promise<void> => {
        await close();
        await turn(() => settle(partition, reservation, shared));
      };
      let settled: Promise<void> | undefined;
      const partition: OpenPartition = {
        most,
        settle: () => {
          settled ??= closeAndSettle();
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
  };
};
