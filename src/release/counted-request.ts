import { type Budget, type BudgetRequest, budgetOf, gdpBudget } from '../privacy/accounting/budget.js';
import { marginalNoise } from '../privacy/noise/marginal-noise.js';
import type { AnyMechanism } from './mechanism.js';
import type { Settings } from './settings.js';

/** What the way of counting depends on: the mechanism, and how many attributes the table has. */
export interface Counted {
  readonly mechanism: AnyMechanism;
  readonly settings: Settings;
  readonly attributes: number;
}

/**
 * A budget as a release by this mechanism is counted: in gdp where its ledger does so, or where there is none or no release yet and the mechanism adds Gaussian
 * noise alone; as it was stated otherwise. Depends on what is public alone, as it must: what was seen of a table may not decide how its losses are counted.
 */
export const countedRequest = (
  request: BudgetRequest,
  { mechanism, settings, attributes }: Counted,
  ledger: Budget | undefined,
): BudgetRequest => {
  const stated = budgetOf(request);
  if (stated.either !== true) return request;
  if (ledger?.currency === 'gdp') return { ...request, accounting: 'gdp' };
  if (ledger !== undefined && ledger.either !== true) return request;
  if (mechanism.mostlyGaussian?.(settings) !== true) return request;
  const exact = gdpBudget(stated);
  return exact !== undefined && addsLess(exact, stated, attributes) ? { ...request, accounting: 'gdp' } : request;
};

/** Whether there is less noise by the first, on as many marginals as there are attributes: where noise is of a record or two, the grain of counts weighs more than what gdp saves. */
const addsLess = (first: Budget, second: Budget, attributes: number): boolean => {
  const [one, other] = [first, second].map((budget) => marginalNoise(budget, attributes, 'add-remove').deviation);
  return one < other;
};
