import { InputError } from '../../domain/input-error.js';
import { type Amount, addAmounts, subtractAmount, zeroAmount } from '../accounting/amount.js';
import type { Budget } from '../accounting/budget.js';
import { type Charge, costOfAll } from '../accounting/charge.js';
import type { Currency } from '../accounting/currency.js';
import { BudgetError, type Ledger, type LedgerRun, type Reservation } from '../ledger/ledger.js';
import { costInLedger } from './ledger-cost.js';
import { ownCopy } from './own-copy.js';

/** Where a session or a group keeps its budget. */
export interface Account {
  readonly currency: Currency;
  readonly total: Amount;
  readonly charges: readonly Charge[];
  remaining(): Amount;
  /**
   * Pays for the charges, then does the work: the only way that private counts are read. If the work fails, what was paid
   * stays paid. After `close` it refuses.
   */
  pay<T>(what: string, charges: readonly Charge[], work: () => Promise<T>): Promise<T>;
  /** Lets nobody in any more, and waits for those inside. */
  close(): Promise<void>;
}

/** Runs tasks one after the other in the order of their calls, so that checks and charges never interleave. */
const inTurn = (): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const next = last.then(task, task);
    last = next.catch(() => undefined);
    return next;
  };
};

const refused = (what: string): InputError =>
  new InputError(`${what}: must be open, got a call after its end; measure before it closes`);

/** What stands before an act. */
export interface Guard {
  /** Refuses a call when nothing more may be begun. */
  admit(): void;
  /** Refuses an act whose turn has come when the table behind it is gone or the work was cancelled. */
  check(): void;
}

/** An account inside memory: a group's part of what its partition has reserved. */
export const groupAccount = (currency: Currency, total: Amount, parent?: Guard): Account => {
  const turn = inTurn();
  const charges: Charge[] = [];
  let spent = zeroAmount;
  let open = true;
  return {
    currency,
    total,
    charges,
    remaining: () => subtractAmount(total, spent),
    async pay(_what, due, work) {
      if (!open) throw refused('group');
      parent?.admit();
      return turn(async () => {
        parent?.check();
        const cost = costOfAll(due, currency);
        if (cost > total - spent) throw new BudgetError(cost, subtractAmount(total, spent), currency);
        spent = addAmounts(spent, cost);
        charges.push(...due);
        return work();
      });
    },
    close() {
      open = false;
      return turn(async () => undefined);
    },
  };
};

/** What was paid under one reservation of the ledger. */
export interface Act {
  /** The number of the reservation's record in the ledger. */
  readonly reservation: number;
  readonly charges: readonly Charge[];
}

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

/** An account whose every payment is durable in a ledger before the work starts, and committed before its result is seen. */
export interface LedgerAccount extends Account, Guard {
  /** What was paid, as the ledger has it. */
  readonly acts: readonly Act[];
  /** What open partitions may still spend or have spent: in no charge yet, and counted as spent. */
  pending(): Amount;
  /**
   * Reserves `most`, runs the work, and commits the charges that `due` then names, whether the work succeeded or not: but only
   * when its accounts are closed, so that nothing can be spent behind the commit.
   */
  share<T>(shared: SharedWork<T>): Promise<T>;
}

export interface LedgerAccountOptions {
  readonly ledger: Ledger;
  readonly budget: Budget;
  /** Names what comes of it, 32 hexadecimal digits. */
  readonly release: string;
  readonly seeded: boolean;
  readonly check: Guard['check'];
  /** Hears that something was reserved: from then on it may have been spent. */
  readonly onReserved?: (() => void) | undefined;
}

export const ledgerAccount = (options: LedgerAccountOptions): LedgerAccount => {
  const { ledger, release } = options;
  const { currency, total } = options.budget;
  const turn = inTurn();
  const charges: Charge[] = [];
  const acts: Act[] = [];
  const partitions = new Set<{ readonly most: Amount; readonly settle: () => Promise<void> }>();
  let spent = zeroAmount;
  let open = true;
  let run: LedgerRun | undefined;

  const admit = (): void => {
    if (!open) throw refused('session');
    if (!ledger.isOpen()) throw new InputError('ledger: must be open while its session is used, got a closed one');
    options.check();
  };

  const afford = (cost: Amount): void => {
    if (cost > total - spent) throw new BudgetError(cost, subtractAmount(total, spent), currency);
  };

  /** The whole budget is set aside before the first act, so that no later act can find it gone. */
  const reserve = async (amount: Amount, what: string): Promise<Reservation> => {
    run ??= await ledger.run({
      amount: costInLedger(total, currency, ledger),
      what: 'a release',
      release,
      seeded: options.seeded,
    });
    options.onReserved?.();
    return run.reserve({ amount, what });
  };

  const commit = async (reservation: Reservation, done: readonly Charge[]): Promise<void> => {
    // Handed out by the session: nobody may change what was paid.
    acts.push({ reservation: reservation.id, charges: ownCopy(done, 'charges') });
    await reservation.commit(done);
  };

  return {
    currency,
    total,
    charges,
    acts,
    admit,
    check: options.check,
    remaining: () => subtractAmount(total, spent),
    pending: () => [...partitions].reduce((sum, { most }) => addAmounts(sum, most), zeroAmount),
    async pay(what, due, work) {
      admit();
      return turn(async () => {
        options.check();
        const cost = costOfAll(due, currency);
        afford(cost);
        // Answers that neighbours cannot differ in, such as a public total, cost nothing.
        if (due.length === 0) return work();
        const reservation = await reserve(costOfAll(due, ledger.currency), what);
        spent = addAmounts(spent, cost);
        charges.push(...due);
        try {
          return await work();
        } finally {
          // Whatever became of it, something may have been read.
          await commit(reservation, due);
        }
      });
    },
    async share({ what, most, due, work, close }) {
      admit();
      const partition = await turn(async () => {
        options.check();
        afford(most);
        const reservation = await reserve(costInLedger(most, currency, ledger), what);
        spent = addAmounts(spent, most);
        let settled: Promise<void> | undefined;
        const settle = async (): Promise<void> => {
          await close();
          await turn(async () => {
            const done = due();
            charges.push(...done);
            spent = addAmounts(subtractAmount(spent, most), costOfAll(done, currency));
            partitions.delete(shared);
            // Without a charge no group has read anything.
            if (done.length === 0) await reservation.cancelUnread('no group spent anything');
            else await commit(reservation, done);
          });
        };
        const shared = {
          most,
          settle: () => {
            settled ??= settle();
            return settled;
          },
        };
        partitions.add(shared);
        return shared;
      });
      // The work runs outside the turn: it may pay for other things on this account meanwhile.
      try {
        return await work();
      } finally {
        await partition.settle();
      }
    },
    async close() {
      open = false;
      // What was called before has its turn first; then every partition is in the set.
      await turn(async () => undefined);
      await Promise.all([...partitions].map(({ settle }) => settle()));
      await turn(async () => {
        const ending = run;
        run = undefined;
        // Where it cannot be recorded, or another process has ended the run, the rest stays reserved or is back already: neither may
        // cost what was paid for.
        await ending?.end('the session was closed').catch(() => undefined);
      });
    },
  };
};
