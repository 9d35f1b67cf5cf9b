import type { Amount } from './amount.js';
import type { Currency } from './currency.js';

/** What accounting must know of one kind of charge, whose terms are fractions. */
export interface ChargeKind<Terms> {
  /** The names of the terms in the order in which a ledger writes them. */
  readonly members: readonly (keyof Terms & string)[];
  /** Of terms that may be absent, and say more of what moves: the same. */
  readonly details?: readonly (keyof Terms & string)[] | undefined;
  /** Exact in rationals, and then rounded up to the next 1e-18. */
  cost(terms: Terms, currency: Currency): Amount;
  /** What was done, for people. */
  readonly act: string;
  /** What that costs: a sentence for people. */
  readonly price: string;
}
