import { type Amount, addAmounts, amountScale, subtractAmount, zeroAmount } from './accounting/amount.js';
import { type Charge, type Currency, costOf, costOfAll } from './accounting/charge.js';
import { BudgetError, type Json, type Ledger } from './ledger/ledger.js';

/** Where a session or a group keeps its budget. */
export interface Account {
  readonly currency: Currency;
  readonly total: Amount;
  readonly charges: readonly Charge[];
  remaining(): Amount;
  /**
   * Pays for the charges, then does the work: the only way that private counts are read. If the work fails, what was paid
   * stays paid.
   */
  pay<T>(what: string, charges: readonly Charge[], work: () => Promise<T>): Promise<T>;
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

/** An account inside memory: a group's part of what its partition has reserved. */
export const groupAccount = (currency: Currency, total: Amount): Account => {
  const turn = inTurn();
  const charges: Charge[] = [];
  let spent = zeroAmount;
  return {
    currency,
    total,
    charges,
    remaining: () => subtractAmount(total, spent),
    pay: (_what, due, work) =>
      turn(async () => {
        const cost = costOfAll(due, currency);
        if (cost > total - spent) throw new BudgetError(cost, subtractAmount(total, spent), currency);
        spent = addAmounts(spent, cost);
        charges.push(...due);
        return work();
      }),
  };
};

/** An account whose every payment is durable in a ledger before the work starts, and committed before its result is seen. */
export interface LedgerAccount extends Account {
  /**
   * Reserves `most`, runs the work, and commits the charges that `due` then names, whether the work succeeded or not.
   * For groups: what they spent is known when they are done.
   */
  payAtMost<T>(what: string, most: Amount, due: () => readonly Charge[], work: () => Promise<T>): Promise<T>;
}

export const ledgerAccount = (
  ledger: Ledger,
  currency: Currency,
  total: Amount,
  detail: Json,
  signal?: AbortSignal,
): LedgerAccount => {
  const turn = inTurn();
  const charges: Charge[] = [];
  let spent = zeroAmount;

  const admit = (cost: Amount): void => {
    signal?.throwIfAborted();
    if (cost > total - spent) throw new BudgetError(cost, subtractAmount(total, spent), currency);
  };

  /** An amount of this account in the ledger's currency: epsilon-DP is epsilon^2/2 in rho, as for Laplace noise of scale 1. */
  const inLedger = (cost: Amount): Amount =>
    ledger.currency === currency
      ? cost
      : costOf(
          {
            kind: 'laplace',
            sensitivity: { numerator: cost, denominator: amountScale },
            scale: { numerator: 1n, denominator: 1n },
          },
          ledger.currency,
        );

  return {
    currency,
    total,
    charges,
    remaining: () => subtractAmount(total, spent),
    pay: (what, due, work) =>
      turn(async () => {
        const cost = costOfAll(due, currency);
        admit(cost);
        // Answers that neighbours cannot differ in, such as a public total, cost nothing.
        if (due.length === 0) return work();
        const reservation = await ledger.reserve({ amount: costOfAll(due, ledger.currency), what });
        spent = addAmounts(spent, cost);
        charges.push(...due);
        const result = await work();
        await reservation.commit({ charges: due, detail });
        return result;
      }),
    async payAtMost(what, most, due, work) {
      const reservation = await turn(async () => {
        admit(most);
        const reserved = await ledger.reserve({ amount: inLedger(most), what });
        spent = addAmounts(spent, most);
        return reserved;
      });
      // The work runs outside the turn: it may pay for other things on this account meanwhile.
      const settle = (): Promise<void> =>
        turn(async () => {
          const done = due();
          charges.push(...done);
          spent = addAmounts(subtractAmount(spent, most), costOfAll(done, currency));
          // Without a charge no group has read anything.
          if (done.length === 0) await reservation.cancelUnread('no group spent anything');
          else await reservation.commit({ charges: done, detail });
        });
      try {
        return await work();
      } finally {
        await settle();
      }
    },
  };
};
