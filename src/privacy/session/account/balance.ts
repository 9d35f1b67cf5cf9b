import { type Amount, addAmounts, subtractAmount, zeroAmount } from '../../accounting/amount.js';
import { type Charge, costOfAll } from '../../accounting/charge.js';
import type { Currency } from '../../accounting/currency.js';
import { BudgetError } from '../../ledger/ledger.js';

/** What has been spent of a total, and on what. */
export interface Balance {
  readonly charges: readonly Charge[];
  remaining(): Amount;
  /** Refuses a cost that is more than what remains. */
  afford(cost: Amount): void;
  /** Counts charges as spent. */
  charge(due: readonly Charge[]): void;
  /** Counts an amount as spent that is in no charge yet, until it is given back. */
  hold(amount: Amount): void;
  giveBack(amount: Amount): void;
}

export const openBalance = (currency: Currency, total: Amount): Balance => {
  const charges: Charge[] = [];
  let spent = zeroAmount;
  return {
    charges,
    remaining: () => subtractAmount(total, spent),
    afford: (cost) => {
      if (cost > total - spent) throw new BudgetError(cost, subtractAmount(total, spent), currency);
    },
    charge: (due) => {
      spent = addAmounts(spent, costOfAll(due, currency));
      charges.push(...due);
    },
    hold: (amount) => {
      spent = addAmounts(spent, amount);
    },
    giveBack: (amount) => {
      spent = subtractAmount(spent, amount);
    },
  };
};
