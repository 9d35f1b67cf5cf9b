import type { Amount } from '../../src/privacy/accounting/amount.js';
import type { BudgetRequest } from '../../src/privacy/accounting/budget.js';
import type { Ledger } from '../../src/privacy/ledger/ledger.js';
import { costInLedger, countedBy } from '../../src/privacy/session/ledger-cost.js';

/** What a budget would leave of what remains, as the ledger counts it; undefined where that does not cover it. */
export const leftAfter = (
  ledger: Pick<Ledger, 'currency'>,
  remaining: Amount,
  request: BudgetRequest,
): Amount | undefined => {
  const { currency, total } = countedBy(ledger, request);
  const need = costInLedger(total, currency, ledger);
  return need > remaining ? undefined : ((remaining - need) as Amount);
};
