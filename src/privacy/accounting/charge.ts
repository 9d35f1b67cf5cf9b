import { type ThresholdTerms, thresholdKinds } from '../discovery/threshold-kind.js';
import { type NoiseTerms, noiseKinds } from '../noise/noise-kinds.js';
import { addRational, type Rational } from '../rational.js';
import { type DrawTerms, drawKinds } from '../selection/draw-kind.js';
import { type SelectionMechanism, type SelectionTerms, selectionKinds } from '../selection/selection-kinds.js';
import { type Amount, addAmounts, formatAmount, zeroAmount } from './amount.js';
import type { ChargeKind } from './charge-kind.js';
import { type Currency, lossName } from './currency.js';

/** What a charge of each kind holds, the numbers that the guarantee of its primitive depends on. */
interface ChargeTerms extends NoiseTerms, Readonly<Record<SelectionMechanism, SelectionTerms>> {
  readonly 'exponential-draws': DrawTerms;
  readonly threshold: ThresholdTerms;
}

/** A charge for one act of a primitive. */
export type SingleCharge<Kind extends keyof ChargeTerms = keyof ChargeTerms> = {
  [Own in Kind]: { readonly kind: Own } & ChargeTerms[Own];
}[Kind];

/** Groups over disjoint units, each with the charges made on it in sequence; the dearest group is what all cost. */
export interface ParallelCharge {
  readonly kind: 'parallel';
  readonly groups: readonly (readonly Charge[])[];
}

/**
 * What primitives did. A mechanism never states a cost: the session writes down the charges of the primitives it ran and `costOf`
 * prices them.
 */
export type Charge = SingleCharge | ParallelCharge;

/** Every kind of single charge there is. */
export const chargeKinds: { readonly [Kind in keyof ChargeTerms]: ChargeKind<ChargeTerms[Kind]> } = {
  ...noiseKinds,
  ...selectionKinds,
  ...drawKinds,
  ...thresholdKinds,
};

const costOfSingle = <Kind extends keyof ChargeTerms>(charge: SingleCharge<Kind>, currency: Currency): Amount =>
  chargeKinds[charge.kind].cost(charge, currency);

/** The cost of one charge, exact in rationals and then rounded up to the next 1e-18. */
export const costOf = (charge: Charge, currency: Currency): Amount => {
  if (charge.kind !== 'parallel') return costOfSingle(charge, currency);
  let most = zeroAmount;
  for (const group of charge.groups) {
    const cost = costOfAll(group, currency);
    if (cost > most) most = cost;
  }
  return most;
};

/** The cost of charges made one after the other: the exact sum of their costs. */
export const costOfAll = (charges: readonly Charge[], currency: Currency): Amount =>
  charges.reduce((sum, charge) => addAmounts(sum, costOf(charge, currency)), zeroAmount);

/** The deltas of all thresholds among the charges, which add to that of the guarantee; undefined where there are none. In parallel groups each may take its own. */
export const thresholdDelta = (charges: readonly Charge[]): Rational | undefined =>
  charges.reduce<Rational | undefined>((sum, charge) => {
    const own =
      charge.kind === 'threshold'
        ? charge.delta
        : charge.kind === 'parallel'
          ? thresholdDelta(charge.groups.flat())
          : undefined;
    return own === undefined ? sum : sum === undefined ? own : addRational(sum, own);
  }, undefined);

/** An amount in the words of its currency, such as `rho 0.05`. */
export const describeAmount = (amount: Amount, currency: Currency): string =>
  `${lossName[currency]} ${formatAmount(amount)}`;
