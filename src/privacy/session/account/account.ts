import { InputError } from '../../../domain/input-error.js';
import type { Amount } from '../../accounting/amount.js';
import type { Charge } from '../../accounting/charge.js';
import type { Currency } from '../../accounting/currency.js';

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
