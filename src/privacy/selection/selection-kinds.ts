import type { Amount } from '../accounting/amount.js';
import type { ChargeKind } from '../accounting/charge-kind.js';
import type { Currency } from '../accounting/currency.js';
import { costOfEpsilon, epsilonFor, positive, roundDown } from '../accounting/pricing.js';
import type { Entropy } from '../entropy.js';
import type { Rational } from '../rational.js';
import { exponentialMechanism } from './exponential-mechanism.js';
import { permuteAndFlip } from './permute-and-flip.js';
import type { SelectionOptions, Unscored } from './score-grid.js';

/** One selection with weights exp(epsilon score / (2 sensitivity)). */
export interface SelectionTerms {
  readonly epsilon: Rational;
}

/** All that surmise knows of one way to select. */
export interface SelectionKind extends ChargeKind<SelectionTerms> {
  /** The position of the selected candidate: among the scores, or behind them among the members of the unscored groups. */
  select(scores: Float64Array, options: SelectionOptions, entropy: Entropy, unscored?: readonly Unscored[]): number;
  /** Whether it gains by unscored groups; one that looks at every score does not. */
  readonly leavesUnscored: boolean;
  /** The epsilon, rounded down, of one selection that costs at most `share`. */
  epsilonFor(share: Amount, currency: Currency): Rational;
}

/** A way to select whose rho is epsilon^2 / divisor. */
const selectionKind = (
  divisor: bigint,
  own: Pick<SelectionKind, 'select' | 'leavesUnscored' | 'act' | 'price'>,
): SelectionKind => ({
  ...own,
  members: ['epsilon'],
  cost: ({ epsilon }, currency) => costOfEpsilon(positive(epsilon, 'epsilon'), currency, divisor),
  epsilonFor: (share, currency) => {
    const { numerator, denominator } = epsilonFor(share, currency, divisor);
    return roundDown(numerator, denominator);
  },
});

/** How a selection is drawn: both give the same guarantee. */
export type SelectionMechanism = 'exponential' | 'permute-and-flip';

/** Every way to select there is. */
export const selectionKinds: Readonly<Record<SelectionMechanism, SelectionKind>> = {
  // Its privacy loss has bounded range (Cesar, Rogers 2021).
  exponential: selectionKind(8n, {
    select: exponentialMechanism,
    leavesUnscored: true,
    act: 'choice by the exponential mechanism',
    price: 'A choice by the exponential mechanism with epsilon costs epsilon²/8 rho, or epsilon.',
  }),
  // Its privacy loss has not: what any epsilon-DP step costs (Bun, Steinke 2016, Proposition 1.4).
  'permute-and-flip': selectionKind(2n, {
    select: permuteAndFlip,
    leavesUnscored: false,
    act: 'choice by permute-and-flip',
    price: 'A choice by permute-and-flip with epsilon costs epsilon²/2 rho, or epsilon.',
  }),
};

export const selectionNames = Object.keys(selectionKinds) as SelectionMechanism[];
