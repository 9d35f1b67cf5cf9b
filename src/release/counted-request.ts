import { amountToNumber } from '../privacy/accounting/amount.js';
import { type Budget, type BudgetRequest, budgetOf, gdpBudget } from '../privacy/accounting/budget.js';
import type { AnyMechanism } from './mechanism.js';
import type { Settings } from './settings.js';

/**
 * A budget as a release by this mechanism is counted: in gdp where its ledger does so, or where there is none or no release yet and the mechanism adds Gaussian
 * noise alone; as it was stated otherwise. Depends on what is public alone, as it must: what was seen of a table may not decide how its losses are counted.
 */
export const countedRequest = (
  request: BudgetRequest,
  { mechanism, settings }: { readonly mechanism: AnyMechanism; readonly settings: Settings },
  ledger: Budget | undefined,
): BudgetRequest => {
  const stated = budgetOf(request);
  if (stated.either !== true) return request;
  if (ledger?.currency === 'gdp') return { ...request, accounting: 'gdp' };
  if (ledger !== undefined && ledger.either !== true) return request;
  const exact = gdpBudget(stated);
  const pays = exact !== undefined && amountToNumber(exact.total) > amountToNumber(stated.total);
  return pays && mechanism.gaussianOnly?.(settings) ? { ...request, accounting: 'gdp' } : request;
};
