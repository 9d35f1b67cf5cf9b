import { InputError } from '../../domain/input-error.js';
import { formatAmount } from '../accounting/amount.js';
import type { Budget } from '../accounting/budget.js';
import type { Chain } from './chain.js';
import type { ChainWriter } from './chain-writer.js';
import { amountInWords } from './ledger.js';

/** A larger total of a ledger. */
export interface Raise {
  /** The new total, in the ledger's currency and at its delta. */
  readonly budget: Budget;
  /** A public sentence, kept for good: why the people in the table may be told about more than was promised. */
  readonly why: string;
}

/** Refuses a total that means something else than the ledger's, or that is not larger. */
const checkRaise = ({ name, terms: { budget: own } }: Chain, { budget }: Raise): void => {
  const subject = `ledger ${name}`;
  if (budget.currency !== own.currency)
    throw new InputError(
      own.currency === 'pure'
        ? `${subject}: counts pure epsilon, got a total with a delta or in rho; state it in pure epsilon`
        : own.currency === 'gdp'
          ? `${subject}: counts gdp, got a total in pure epsilon or in rho; state it as an epsilon at the delta of the ledger`
          : `${subject}: counts rho, got a total in pure epsilon or in gdp; state it at the delta of the ledger, or in rho`,
    );
  if (budget.delta !== own.delta)
    throw new InputError(
      `${subject}: states its total at delta ${own.delta ?? 'none'}, got one at delta ${budget.delta ?? 'none'}; leave the delta out`,
    );
  if (budget.total <= own.total)
    throw new InputError(
      `${subject}: a total can only be raised, got ${amountInWords(budget.total, own, Math.round)} where it is ${amountInWords(own.total, own, Math.round)}; to spend less, ask for less in each release: what nobody asks for is not spent`,
    );
};

/**
 * Raises the total of a ledger, for good. The record stands in the chain like any other: whoever writes at the same time is either before it, and
 * was checked against the old total, or behind it.
 */
export const raiseTotal = async ({ append }: ChainWriter, raise: Raise): Promise<void> => {
  const why = raise.why.trim();
  if (why === '')
    throw new InputError('reason: must say why the total is raised, got nothing; it is kept in the ledger for good');
  const { total, epsilon, delta } = raise.budget;
  const body = {
    total: formatAmount(total),
    epsilon: epsilon === undefined ? undefined : formatAmount(epsilon),
    delta,
    why,
  };
  await append({ kind: 'raise', ...body }, (at) => checkRaise(at, raise));
};
