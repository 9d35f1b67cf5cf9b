import { InputError } from '../../domain/input-error.js';
import type { Amount } from '../accounting/amount.js';
import type { Budget } from '../accounting/budget.js';
import { type Charge, type Currency, describeAmount } from '../accounting/charge.js';

/** Anything JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Where a ledger stands. Amounts are in the ledger's currency. */
export interface LedgerStatus {
  readonly dataset: string;
  readonly budget: Budget;
  readonly total: Amount;
  /** Committed costs, plus every open reservation in full. */
  readonly spent: Amount;
  /** The part of `spent` that is reserved and not committed: work under way, or orphans of a crash. */
  readonly reserved: Amount;
  readonly remaining: Amount;
  /** Number of records in the chain and the hash of the last one: it pins everything before it. */
  readonly records: number;
  readonly tip: string;
}

/** The right to spend up to `amount`; it is durable before anyone holds it. */
export interface Reservation {
  /** The sequence number of its record in the ledger. */
  readonly id: number;
  readonly amount: Amount;
  /**
   * Records what was done. The cost is computed from the charges and may be less than reserved, never more; the rest goes
   * back to the budget. A reservation that is never committed counts as spent in full.
   */
  commit(done: { readonly charges: readonly Charge[]; readonly detail?: Json }): Promise<void>;
  /** Gives everything back. Only for a caller that knows that no private value has been read under this reservation. */
  cancelUnread(why: string): Promise<void>;
}

/**
 * The one account of a private dataset's privacy budget. `reserve` comes back only when the reservation is durable and
 * within the budget, whatever other processes do; it rejects with `BudgetError` otherwise.
 */
export interface Ledger {
  readonly dataset: string;
  readonly budget: Budget;
  readonly currency: Currency;
  status(): Promise<LedgerStatus>;
  /** `what` is a public sentence about the work, such as "measure 12 marginals". */
  reserve(request: { readonly amount: Amount; readonly what: string }): Promise<Reservation>;
}

/** The budget does not allow what was asked. Nothing was spent and nothing private was read. */
export class BudgetError extends InputError {
  override readonly name: string = 'BudgetError';
  constructor(
    readonly asked: Amount,
    readonly remaining: Amount,
    readonly currency: Currency,
  ) {
    super(
      `budget: must cover what is asked, got ${describeAmount(asked, currency)} asked and ${describeAmount(remaining, currency)} remaining; ask for less, or show the ledger to see what was spent`,
    );
  }
}
