import { InputError } from '../../domain/input-error.js';
import { type Amount, formatAmount, zeroAmount } from '../accounting/amount.js';
import { type Charge, costOfAll, describeAmount } from '../accounting/charge.js';
import type { Currency } from '../accounting/currency.js';
import { type Chain, remainingFor } from './chain.js';
import type { ChainWriter } from './chain-writer.js';
import { BudgetError, type Ledger, type LedgerRun, type Reservation, type ResumedRun } from './ledger.js';
import { chargeToJson } from './record/charge-json.js';

/** A ledger that is written: its chain, what it counts in, and what refuses a call when it was closed. */
export interface OpenLedger extends ChainWriter {
  readonly currency: Currency;
  refuseClosed(): void;
}

/** A release that is counted in another way than the ledger is from its first one on. */
export const otherwiseCounted = (currency: Currency): InputError =>
  new InputError(
    currency === 'gdp'
      ? 'budget: the ledger counts gdp since its first release, got a budget that is counted in rho; state it as an epsilon with a delta'
      : 'budget: the ledger counts rho since its first release, or was made to, got a budget that is counted in gdp; leave the accounting out',
  );

const checkPositive = (amount: Amount): void => {
  if (amount <= zeroAmount) throw new InputError('reservation: must be of a positive amount, got 0');
};

const leftTo = (at: Chain, id: number): Amount => {
  const run = at.runs.get(id);
  if (run === undefined)
    throw new InputError(
      `run ${id}: must be open, got one that has ended, here or by another process; start the release anew`,
    );
  return run.left;
};

/** Gives back what is left to a run. */
export const endRun = async ({ append }: ChainWriter, id: number, why: string): Promise<void> => {
  await append({ kind: 'end', run: id, why }, (at) => {
    leftTo(at, id);
  });
};

const costOfDone = (charges: readonly Charge[], currency: Currency): Amount => {
  if (charges.length === 0)
    throw new InputError('commit: must have a charge, got none; cancel a reservation under which nothing was read');
  return costOfAll(charges, currency);
};

const reservationOf = (ledger: OpenLedger, id: number, amount: Amount, release: string): Reservation => {
  const { append } = ledger;
  const unsettled = (at: Chain): void => {
    if (!at.acts.has(id)) throw new InputError(`reservation ${id}: must be open, got one that is already settled`);
  };
  return {
    id,
    amount,
    commit: async (charges) => {
      const { currency } = ledger;
      const cost = costOfDone(charges, currency);
      if (cost > amount)
        throw new InputError(
          `reservation ${id}: must cover what was done, got charges of ${describeAmount(cost, currency)} on ${describeAmount(amount, currency)}`,
        );
      const body = { reservation: id, release, amount: formatAmount(cost), charges: charges.map(chargeToJson) };
      await append({ kind: 'commit', ...body }, unsettled);
    },
    cancelUnread: async (why) => {
      await append({ kind: 'cancel', reservation: id, why }, unsettled);
    },
  };
};

/** Sets an amount aside for the acts of one release: durable and within the budget when it comes back. */
export const beginRun = async (
  ledger: OpenLedger,
  { amount, what, release, seeded, currency = ledger.currency }: Parameters<Ledger['run']>[0],
): Promise<LedgerRun> => {
  const { append, refuseClosed } = ledger;
  refuseClosed();
  checkPositive(amount);
  const accounting = currency === 'gdp' ? 'gdp' : undefined;
  const body = { amount: formatAmount(amount), what, release, accounting, seeded: seeded || undefined };
  const id = await append({ kind: 'run', ...body }, (at) => {
    const remaining = remainingFor(at, accounting);
    // Another process may have made the first run meanwhile.
    if (remaining === undefined) throw otherwiseCounted(at.terms.budget.currency);
    if (amount > remaining) throw new BudgetError(amount, remaining, { ...at.terms.budget, currency });
  });
  return runOf(ledger, id, release);
};

const runOf = (ledger: OpenLedger, id: number, release: string): LedgerRun => {
  const { append, refuseClosed } = ledger;
  return {
    id,
    reserve: async (asked) => {
      refuseClosed();
      checkPositive(asked.amount);
      const act = { run: id, amount: formatAmount(asked.amount), what: asked.what };
      const seq = await append({ kind: 'reserve', ...act }, (at) => {
        const left = leftTo(at, id);
        if (asked.amount > left) throw new BudgetError(asked.amount, left, at.terms.budget);
      });
      return reservationOf(ledger, seq, asked.amount, release);
    },
    end: (why) => endRun(ledger, id, why),
  };
};

/** What is left of a release in the ledger: one that was interrupted, here or in another process. */
export const resumeRun = async (ledger: OpenLedger, release: string): Promise<ResumedRun | undefined> => {
  ledger.refuseClosed();
  const left = await ledger.read(({ runs, acts, releases }) => {
    if (!releases.has(release)) return undefined;
    const run = [...runs].find(([, open]) => open.release === release)?.[0];
    return { run, open: [...acts].filter(([, act]) => act.release === release) };
  });
  return (
    left && {
      run: left.run === undefined ? undefined : runOf(ledger, left.run, release),
      open: left.open.map(([id, { amount }]) => reservationOf(ledger, id, amount, release)),
    }
  );
};
