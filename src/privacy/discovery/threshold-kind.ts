import { InputError } from '../../domain/input-error.js';
import { zeroAmount } from '../accounting/amount.js';
import type { ChargeKind } from '../accounting/charge-kind.js';
import { positive } from '../accounting/pricing.js';
import type { Rational } from '../rational.js';

/** A threshold that values of one unit alone pass with a chance of at most delta. */
export interface ThresholdTerms {
  readonly delta: Rational;
}

/** Thresholds cost no rho: their deltas add to that of the guarantee (Bun, Steinke 2016, Lemma 8.2: approximate zCDP composes so). */
export const thresholdKinds: { readonly threshold: ChargeKind<ThresholdTerms> } = {
  threshold: {
    members: ['delta'],
    cost: ({ delta }, currency) => {
      if (currency === 'pure')
        throw new InputError(
          'budget: values can be asked for with a delta only, got a budget without; give a delta, or list the values in the schema',
        );
      if (currency === 'gdp')
        throw new InputError(
          'budget: values can be asked for where rho is counted, got a ledger that counts gdp; list the values in the schema',
        );
      const { numerator, denominator } = positive(delta, 'delta');
      if (numerator >= denominator) throw new InputError('delta: must be below 1, got more');
      return zeroAmount;
    },
    act: 'threshold for values',
    price:
      'A threshold that values of one unit alone pass with a chance of at most delta costs that delta, which is added to the delta of the guarantee.',
  },
};
