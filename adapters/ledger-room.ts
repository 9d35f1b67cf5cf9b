import { InputError } from '../src/domain/input-error.js';
import { amountScale } from '../src/privacy/accounting/amount.js';
import type { Budget } from '../src/privacy/accounting/budget.js';
import { costOf } from '../src/privacy/accounting/charge.js';
import { BudgetError, type Ledger } from '../src/privacy/ledger/ledger.js';

/** Refuses a budget that the ledger cannot cover: now, and not when half of it is spent. */
export const checkRoom = async (ledger: Ledger, { currency, total }: Budget): Promise<void> => {
  if (ledger.currency === 'pure' && currency === 'zcdp')
    throw new InputError(
      'budget: the ledger counts pure epsilon, got a budget with delta or rho; ask for pure epsilon (delta 0)',
    );
  // Epsilon-DP costs epsilon^2/2 in rho, as Laplace noise of scale 1/epsilon does.
  const sensitivity = { numerator: total as bigint, denominator: amountScale };
  const scale = { numerator: 1n, denominator: 1n };
  const need = ledger.currency === currency ? total : costOf({ kind: 'laplace', sensitivity, scale }, 'zcdp');
  const { remaining } = await ledger.status();
  if (need > remaining) throw new BudgetError(need, remaining, ledger.currency);
};
