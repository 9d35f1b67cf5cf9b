import { InputError } from '../../domain/input-error.js';
import { type Amount, amountScale } from '../accounting/amount.js';
import { type Budget, type BudgetRequest, budgetOf } from '../accounting/budget.js';
import { costOf } from '../accounting/charge.js';
import type { Currency } from '../accounting/currency.js';
import { BudgetError, type Ledger } from '../ledger/ledger.js';
import { otherwiseCounted } from '../ledger/ledger-run.js';

/** An amount in the currency of a ledger: epsilon-DP is epsilon^2/2 in rho, as for Laplace noise of scale 1 (Bun, Steinke 2016, 1.4). */
export const costInLedger = (amount: Amount, currency: Currency, ledger: Pick<Ledger, 'currency'>): Amount => {
  // The first release that is counted in gdp has the ledger count so.
  if (ledger.currency === currency || currency === 'gdp') return amount;
  if (currency === 'zcdp' && ledger.currency === 'gdp') throw otherwiseCounted(ledger.currency);
  if (ledger.currency === 'pure')
    throw new InputError(
      'budget: the ledger was opened for pure epsilon and has no delta to spend, got a budget with a delta or in rho',
      { kind: 'pure-ledger' },
    );
  const sensitivity = { numerator: amount as bigint, denominator: amountScale };
  return costOf({ kind: 'laplace', sensitivity, scale: { numerator: 1n, denominator: 1n } }, ledger.currency);
};

/** A budget as the ledger counts it, where that is not said: in gdp if all its releases are. */
export const countedBy = (ledger: Pick<Ledger, 'currency'>, request: BudgetRequest): Budget => {
  const isOpen = request.accounting === undefined && request.epsilon !== undefined && request.delta !== undefined;
  return budgetOf(isOpen && ledger.currency === 'gdp' ? { ...request, accounting: 'gdp' } : request);
};

/**
 * Refuses a budget that the ledger cannot cover at this moment: before tables are read. The session asks again, and then for
 * good, when it reserves the whole of it.
 */
export const checkRoom = async (ledger: Ledger, request: BudgetRequest): Promise<void> => {
  const { currency, total } = countedBy(ledger, request);
  const need = costInLedger(total, currency, ledger);
  const { remaining } = await ledger.status();
  if (need > remaining) throw new BudgetError(need, remaining, ledger.budget);
};
