import { InputError } from '../../domain/input-error.js';
import type { Relation } from '../../query/relation.js';
import type { Unit } from '../../query/unit.js';
import { type Amount, amountToNumber } from '../accounting/amount.js';
import { type Accounting, type Budget, epsilonAt } from '../accounting/budget.js';
import { type Charge, describeAmount } from '../accounting/charge.js';
import type { Currency } from '../accounting/currency.js';

/**
 * What a ledger's figures mean, once and for all: losses of different relations or units do not add up, so one ledger has one of
 * each. It stands in the opening record.
 */
export interface LedgerTerms {
  /** A public name of the private dataset; it tells nothing about the table. */
  readonly dataset: string;
  readonly budget: Budget;
  readonly relation: Relation;
  readonly unit: Unit;
  /** Whether it was made for noise from a seed, which protects nobody. */
  readonly seeds: boolean;
}

/** Where a ledger stands. Amounts are in the ledger's currency. */
export interface LedgerStatus extends LedgerTerms {
  readonly total: Amount;
  /** Committed costs, plus every open reservation in full. */
  readonly spent: Amount;
  /** The part of `spent` that is reserved and not committed: work under way, or orphans of a crash. */
  readonly reserved: Amount;
  readonly remaining: Amount;
  /** Where gdp is counted, the rho of `spent`, what is reserved in full: it adds up with what is counted in rho elsewhere. */
  readonly rho?: Amount | undefined;
  /** The deltas of thresholds by which values were asked for, a decimal: they add to the delta of the budget. Undefined where none were. */
  readonly thresholds?: string | undefined;
  /** Number of records in the chain and the hash of the last one: it pins everything before it. */
  readonly records: number;
  readonly tip: string;
}

/** The right to spend up to `amount` on one act; it is durable before anyone holds it. */
export interface Reservation {
  /** The sequence number of its record in the ledger. */
  readonly id: number;
  readonly amount: Amount;
  /**
   * Records what was done. The cost is computed from the charges and may be less than reserved, never more; the rest goes
   * back to the run. A reservation that is never committed counts as spent in full.
   */
  commit(charges: readonly Charge[]): Promise<void>;
  /** Gives everything back. Only for a caller that knows that no private value has been read under this reservation. */
  cancelUnread(why: string): Promise<void>;
}

/** What is set aside for all acts of one release, so that none of them can find the budget gone. */
export interface LedgerRun {
  /** The sequence number of its record in the ledger. */
  readonly id: number;
  /** The right to one act: from what is left of the run. */
  reserve(request: { readonly amount: Amount; readonly what: string }): Promise<Reservation>;
  /**
   * Gives back what no act has reserved. Afterwards no act can begin, whoever holds the run: so another process may end the run
   * of one that died, or seems to have.
   */
  end(why: string): Promise<void>;
}

/** A release that was begun before. */
export interface ResumedRun {
  /** Undefined where it has ended. */
  readonly run: LedgerRun | undefined;
  /** Acts that are neither committed nor cancelled, whichever process reserved them. */
  readonly open: readonly Reservation[];
}

/**
 * The one account of a private dataset's privacy budget. `run` comes back only when the reservation is durable and within the
 * budget, whatever other processes do; it rejects with `BudgetError` otherwise.
 */
export interface Ledger extends LedgerTerms {
  /** Of its budget: where the first release decides, that of a ledger without one is `zcdp`. */
  readonly currency: Currency;
  /** Whether it outlives the program; noise from a seed is refused then, unless the ledger was made for it. */
  readonly durable: boolean;
  status(): Promise<LedgerStatus>;
  /** `what` is a public sentence about the work; `release` names what comes of it, 32 hexadecimal digits. */
  run(request: {
    readonly amount: Amount;
    readonly what: string;
    readonly release: string;
    readonly seeded: boolean;
    /** What the amount is counted in; the ledger's own currency by default. */
    readonly currency?: Currency | undefined;
  }): Promise<LedgerRun>;
  /** What is left of a release that was interrupted, by its name: its run while it has not ended, and its open acts. Undefined where there was none. */
  resume(release: string): Promise<ResumedRun | undefined>;
  /** False after `close`: nothing can be reserved any more; what has begun can still be committed. */
  isOpen(): boolean;
  close(): void;
}

/** The budget does not allow what was asked. Nothing was spent and nothing private was read. */
export class BudgetError extends InputError {
  override readonly name: string = 'BudgetError';
  constructor(
    readonly asked: Amount,
    readonly remaining: Amount,
    /** What amounts are counted in, and the delta at which they are told as an epsilon. */
    readonly terms: Pick<Budget, 'currency' | 'delta'>,
  ) {
    super(
      `budget: must cover what is asked, got ${amountInWords(asked, terms, Math.round)} asked and ${amountInWords(remaining, terms, Math.floor)} remaining`,
      { kind: 'over-budget' },
    );
  }
}

/** An amount as people ask for it, to four digits, and as it is counted. */
export const amountInWords = (
  amount: Amount,
  { currency, delta }: Pick<Budget, 'currency' | 'delta'>,
  round: (digits: number) => number,
): string => {
  const counted = describeAmount(amount, currency);
  if (currency === 'pure' || delta === undefined) return counted;
  return `epsilon ${epsilonInWords(amount, { currency, delta }, round)} at delta ${delta} (${counted})`;
};

/** The epsilon of a rho or of gdp at a delta, to four digits. */
export const epsilonInWords = (
  amount: Amount,
  { currency, delta }: { readonly currency: Accounting; readonly delta: string },
  round: (digits: number) => number,
): string => {
  const epsilon = amountToNumber(epsilonAt[currency](amount, delta));
  const digits = 3 - Math.floor(Math.log10(epsilon || 1));
  return String(Number(`${round(Number(`${epsilon}e${digits}`))}e${-digits}`));
};
