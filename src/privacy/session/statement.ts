import type { Relation } from '../../query/relation.js';
import { byUnit, type Unit } from '../../query/unit.js';
import { type Amount, addAmounts, formatAmount, zeroAmount } from '../accounting/amount.js';
import { type Budget, epsilonAt } from '../accounting/budget.js';
import { type Charge, costOfAll, thresholdDelta } from '../accounting/charge.js';
import type { Currency } from '../accounting/currency.js';
import { decimal, decimalText } from '../accounting/decimal.js';
import { exactEpsilonOf } from '../accounting/exact/exact-epsilon.js';
import { addRational, type Rational, rational } from '../rational.js';

/** What was spent and what it guarantees: everything in it can be recomputed from the charges. */
export interface PrivacyStatement {
  readonly dataset: string;
  readonly relation: Relation;
  readonly unit: Unit;
  readonly currency: Currency;
  /** Epsilon (pure), rho (zCDP) or gdp spent, a decimal. */
  readonly spent: string;
  /** Where gdp is counted, the rho of the same charges, a decimal: it adds up with what is counted in rho elsewhere. */
  readonly rho?: string | undefined;
  /** The epsilon of the guarantee; absent when only rho is stated. In gdp it is the exact one of Gaussian noise, rounded up. */
  readonly epsilon?: string | undefined;
  readonly delta?: string | undefined;
  /** True when the noise came from a seed: then nothing here protects anybody. */
  readonly seeded: boolean;
  /** The guarantee in one paragraph. */
  readonly text: string;
}

export interface StatementFacts {
  readonly dataset: string;
  readonly relation: Relation;
  readonly unit: Unit;
  readonly budget: Budget;
  readonly seeded: boolean;
  readonly charges: readonly Charge[];
  /** How many of the charges were fixed before anything was seen: those of the first act. What is told in gdp may then be told by their own losses. None by default. */
  readonly fixed?: number | undefined;
  /** What open partitions hold, in no charge yet: it counts as spent. */
  readonly pending?: Amount | undefined;
}

/**
 * How many of the charges of all acts, in their order, nothing that was seen can have moved: those of the first, if it was reserved before all others. Groups that
 * were opened before it may be told of after it.
 */
export const fixedCharges = (
  acts: readonly { readonly reservation: number; readonly charges: readonly Charge[] }[],
): number => {
  const [first, ...others] = acts;
  return first !== undefined && others.every(({ reservation }) => reservation > first.reservation)
    ? first.charges.length
    : 0;
};

const describeUnit = (unit: Unit): string =>
  byUnit(unit, {
    row: () => 'one row',
    id: ({ column, maxRecords }) =>
      `everything one value of "${column}" contributes (at most ${maxRecords} rows; more were dropped at load)`,
    household: ({ column, maxRecords }) =>
      `one household, by "${column}", with all its persons (at most ${maxRecords}; what goes beyond was left out at load)`,
    person: () => 'what is said of one person',
  });

const describeRelation = (relation: Relation): string =>
  relation === 'add-remove' ? 'whether it is in the table at all' : 'what it is, the number of units being public';

/** What a reader would take for protected and is not. */
const exceptFor = (unit: Unit): string =>
  unit.kind === 'person'
    ? ' NOT PROTECTED: how many households and persons there are, who lives with whom, and all that is said of households; answers that depend on nothing else are exact.'
    : '';

const guarantee = (
  spent: Amount,
  epsilon: Amount | undefined,
  currency: Currency,
  delta: string | undefined,
  thresholds: string | undefined,
  rho: string | undefined,
): string => {
  if (currency === 'pure') return `${formatAmount(spent)}-differentially private`;
  if (currency === 'gdp')
    return `(${formatAmount(epsilon!)}, ${delta})-differentially private, counted in gdp (${formatAmount(spent)}), by which Gaussian noise costs what it loses, and ${rho}-zCDP`;
  const but = thresholds === undefined ? '' : `, but for a chance of ${thresholds} (delta of thresholds)`;
  const zcdp = `${formatAmount(spent)}-zCDP${but}`;
  return epsilon === undefined ? zcdp : `${zcdp}, hence (${formatAmount(epsilon)}, ${delta})-differentially private`;
};

/** The delta at which rho is told as epsilon and those of thresholds, added up: approximate zCDP (Bun, Steinke 2016, section 8). */
const addedDelta = (delta: string | undefined, thresholds: Rational | undefined): string | undefined => {
  if (delta === undefined || thresholds === undefined) return delta;
  const { numerator, denominator } = decimal(delta, 'delta');
  return decimalText(addRational(rational(numerator, denominator), thresholds), 'up');
};

/** The statement that follows from the charges, costs and conversions rounded against us. */
export const statementOf = ({
  dataset,
  relation,
  unit,
  budget,
  seeded,
  charges,
  fixed = 0,
  pending,
}: StatementFacts): PrivacyStatement => {
  const { currency } = budget;
  const taken = thresholdDelta(charges);
  const thresholds = taken && decimalText(taken, 'up');
  const delta = addedDelta(budget.delta, taken);
  const spent = addAmounts(costOfAll(charges, currency), pending ?? zeroAmount);
  const later = addAmounts(costOfAll(charges.slice(fixed), currency), pending ?? zeroAmount);
  const epsilon =
    currency === 'pure'
      ? spent
      : budget.delta === undefined
        ? undefined
        : currency === 'gdp' && fixed > 0
          ? exactEpsilonOf(charges.slice(0, fixed), later, budget.delta)
          : epsilonAt[currency](spent, budget.delta);
  // What is pending counts in full: no charge costs more rho than gdp.
  const rho =
    currency === 'gdp' ? formatAmount(addAmounts(costOfAll(charges, 'zcdp'), pending ?? zeroAmount)) : undefined;
  const warning = seeded ? ' THE NOISE CAME FROM A SEED: THIS IS AN EXPERIMENT AND PROTECTS NOBODY.' : '';
  return {
    dataset,
    relation,
    unit,
    currency,
    spent: formatAmount(spent),
    rho,
    epsilon: epsilon === undefined ? undefined : formatAmount(epsilon),
    delta,
    seeded,
    text: `What was released from "${dataset}" is ${guarantee(spent, epsilon, currency, delta, thresholds, rho)} for ${describeUnit(unit)}: it hides ${describeRelation(relation)}.${exceptFor(unit)}${warning}`,
  };
};
