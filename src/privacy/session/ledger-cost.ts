import { InputError } from '../../domain/input-error.js';
import { type Amount, amountScale } from '../accounting/amount.js';
import type { Budget } from '../accounting/budget.js';
import { costOf } from '../accounting/charge.js';
import type { Currency } from '../accounting/currency.js';
import { BudgetError, type Ledger } from '../ledger/ledger.js';

/** An amount in the ledger's currency: epsilon-DP is epsilon^2/2 in rho, as for Laplace noise of scale 1 (Bun, Steinke 2016, 1.4). */
export const costInLedger = (amount: Amount, currency: Currency, ledger: Pick<Ledger, 'currency'>): Amount => {
  if (ledger.currency === currency) return amount;
  if (ledger.currency === 'pure')
    throw new InputError(
      'budget: the ledger was opened for pure epsilon and has no delta to spend, got a budget with a delta or in rho',
      { kind: 'pure-ledger' },
    );
  const sensitivity = { numerator: amount as bigint, denominator: amountScale };
  return costOf({ kind: 'laplace', sensitivity, scale: { numerator: 1n, denominator: 1n } }, ledger.currency);
};

/**
 * Refuses a budget that the ledger cannot cover at this moment: before tables are read. The session asks again, and then for
 * good, when it reserves the whole of it.
 */
export const checkRoom = async (ledger: Ledger, { currency, total }: Budget): Promise<void> => {
  const need = costInLedger(total, currency, ledger);
  const { remaining } = await ledger.status();
  if (need > remaining) throw new BudgetError(need, remaining, ledger.budget);
};
