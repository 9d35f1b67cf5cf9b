import { InputError } from '../../../domain/input-error.js';
import type { Amount } from '../../accounting/amount.js';
import type { Charge } from '../../accounting/charge.js';
import type { Currency } from '../../accounting/currency.js';
import type { Share } from '../session.js';

/**
 * Reads private counts and gives lists of noisy numbers. It calls `drawing`, and waits for it, before the first noise is drawn: what is
 * interrupted before has revealed nothing.
 */
export type Work = (drawing: () => Promise<void>) => Promise<readonly Float64Array[]>;

/** Where a session or a group keeps its budget. */
export interface Account {
  readonly currency: Currency;
  readonly total: Amount;
  readonly charges: readonly Charge[];
  /** The part of the whole that is not spent. */
  remainingShare(): Share;
  /** What a share of the whole is. */
  amount(share: Share): Amount;
  /**
   * Pays for the charges, then does the work: the only way that private counts are read. If the work fails, what was paid
   * stays paid. After `close` it refuses. What an interrupted run of the same release has paid for is had again, for nothing.
   */
  pay(what: string, charges: readonly Charge[], work: Work): Promise<readonly Float64Array[]>;
  /** Lets nobody in any more, and waits for those inside. */
  close(): Promise<void>;
}

/** What stands before an act. */
export interface Guard {
  /** Refuses a call when nothing more may be begun. */
  admit(): void;
  /** Refuses an act whose turn has come when the table behind it is gone or the work was cancelled. */
  check(): void;
}

/** What a call after the end of its session or group is told. */
export const afterEnd = (what: string): InputError =>
  new InputError(`${what}: must be open, got a call after its end; measure before it closes`);
