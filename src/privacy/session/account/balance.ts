import { InputError } from '../../../domain/input-error.js';
import { type Amount, addAmounts, amountShare, subtractAmount, zeroAmount } from '../../accounting/amount.js';
import type { Budget } from '../../accounting/budget.js';
import { type Charge, costOfAll, thresholdDelta } from '../../accounting/charge.js';
import { decimal, decimalText } from '../../accounting/decimal.js';
import { BudgetError } from '../../ledger/ledger.js';
import { compareRational, rational } from '../../rational.js';
import type { Share } from '../session.js';
import { amountOf, shareOf } from '../share.js';

/** What has been spent of a total, and on what. */
export interface Balance {
  readonly charges: readonly Charge[];
  remaining(): Amount;
  /** The part of the whole that is not spent, as if nothing had been lost. */
  remainingShare(): Share;
  /** What a share of the whole is; where something was lost, a share of what is left is smaller in proportion. */
  amount(share: Share): Amount;
  /** Refuses a cost that is more than what remains. */
  afford(cost: Amount): void;
  /** Refuses thresholds whose deltas, with those before, are more than their part of the budget. */
  affordThresholds(due: readonly Charge[]): void;
  /** Counts charges as spent. */
  charge(due: readonly Charge[]): void;
  /** Counts charges as spent for which nothing was had: those who come later have that much less among them. */
  lose(due: readonly Charge[]): void;
  /** Counts an amount as spent that is in no charge yet, until it is given back. */
  hold(amount: Amount): void;
  giveBack(amount: Amount): void;
}

export const openBalance = ({
  currency,
  total,
  delta,
  thresholds,
}: Pick<Budget, 'currency' | 'total' | 'delta' | 'thresholds'>): Balance => {
  const charges: Charge[] = [];
  let spent = zeroAmount;
  const remaining = (): Amount => subtractAmount(total, spent);
  const charge = (due: readonly Charge[]): void => {
    spent = addAmounts(spent, costOfAll(due, currency));
    charges.push(...due);
  };
  /** What `planned` of the whole was to do is done with `real`. */
  let scale: { readonly planned: Amount; readonly real: Amount } | undefined;
  const asPlanned = (amount: Amount): Amount =>
    scale === undefined || scale.real === zeroAmount ? amount : amountShare(amount, scale.planned, scale.real);
  return {
    charges,
    remaining,
    remainingShare: () => shareOf(total, asPlanned(remaining())),
    amount: (share) => {
      const planned = amountOf(total, share);
      const real = scale === undefined ? planned : amountShare(planned, scale.real, scale.planned);
      if (planned > zeroAmount && real === zeroAmount)
        throw new InputError(
          'budget: must be left for what remains to be done, got all of it lost to an interruption; discard the release',
        );
      return real;
    },
    afford: (cost) => {
      if (cost > total - spent) throw new BudgetError(cost, subtractAmount(total, spent), { currency, delta });
    },
    affordThresholds: (due) => {
      if (thresholdDelta(due) === undefined) return;
      const taken = thresholdDelta([...charges, ...due])!;
      const granted = thresholds === undefined ? undefined : decimal(thresholds, 'thresholds');
      if (granted === undefined || compareRational(taken, rational(granted.numerator, granted.denominator)) > 0)
        throw new InputError(
          `budget: its delta must have a part for thresholds, got ${thresholds ?? 'none'} for ${decimalText(taken, 'up')}; name the part in the budget, or discard a release that was interrupted too often`,
        );
    },
    charge,
    lose: (due) => {
      const planned = asPlanned(remaining());
      charge(due);
      scale = { planned, real: remaining() };
    },
    hold: (amount) => {
      spent = addAmounts(spent, amount);
    },
    giveBack: (amount) => {
      spent = subtractAmount(spent, amount);
    },
  };
};
