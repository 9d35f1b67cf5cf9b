import { InputError } from '../../domain/input-error.js';
import { type Amount, amountShare } from '../accounting/amount.js';
import type { ChargeKind } from '../accounting/charge-kind.js';
import type { Currency } from '../accounting/currency.js';
import { costOfEpsilon, positive } from '../accounting/pricing.js';
import type { Rational } from '../rational.js';
import { selectionKinds } from './selection-kinds.js';

/** So many draws of the exponential mechanism with this epsilon each, as one charge: a ledger line for each would be thousands. */
export interface DrawTerms {
  readonly epsilon: Rational;
  /** A whole number. */
  readonly draws: Rational;
}

const whole = ({ numerator, denominator }: Rational): bigint => {
  if (denominator !== 1n || numerator < 1n)
    throw new InputError(`draws: must be a whole number from 1 on, got ${numerator}/${denominator}`);
  return numerator;
};

/** Independent draws compose: their costs add, exactly, and the sum is rounded up once. */
export const drawKinds: { readonly 'exponential-draws': ChargeKind<DrawTerms> } = {
  'exponential-draws': {
    members: ['epsilon', 'draws'],
    cost: ({ epsilon, draws }, currency) => costOfEpsilon(positive(epsilon, 'epsilon'), currency, 8n, whole(draws)),
    act: 'draws of the exponential mechanism',
    price: 'Each of several draws of the exponential mechanism with epsilon costs epsilon²/8 rho, or epsilon.',
  },
};

/** The epsilon, rounded down, of each of so many draws that together cost at most `share`. */
export const drawEpsilonFor = (share: Amount, draws: number, currency: Currency): Rational =>
  selectionKinds.exponential.epsilonFor(amountShare(share, 1n, BigInt(draws)), currency);
