import type { Relation } from '../../query/relation.js';
import { byUnit, type Unit } from '../../query/unit.js';
import { type Amount, addAmounts, formatAmount, zeroAmount } from '../accounting/amount.js';
import type { Budget } from '../accounting/budget.js';
import { type Charge, costOfAll, thresholdDelta } from '../accounting/charge.js';
import { epsilonOf } from '../accounting/conversion.js';
import type { Currency } from '../accounting/currency.js';
import { decimal, decimalText } from '../accounting/decimal.js';
import { addRational, type Rational, rational } from '../rational.js';

/** What was spent and what it guarantees: everything in it can be recomputed from the charges. */
export interface PrivacyStatement {
  readonly dataset: string;
  readonly relation: Relation;
  readonly unit: Unit;
  readonly currency: Currency;
  /** Epsilon (pure) or rho (zCDP) spent, a decimal. */
  readonly spent: string;
  /** The epsilon of the guarantee; absent when only rho is stated. */
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
  /** What open partitions hold, in no charge yet: it counts as spent. */
  readonly pending?: Amount | undefined;
}

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
): string => {
  if (currency === 'pure') return `${formatAmount(spent)}-differentially private`;
  const but = thresholds === undefined ? '' : `, but for a chance of ${thresholds} (delta of thresholds)`;
  const rho = `${formatAmount(spent)}-zCDP${but}`;
  return epsilon === undefined ? rho : `${rho}, hence (${formatAmount(epsilon)}, ${delta})-differentially private`;
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
  pending,
}: StatementFacts): PrivacyStatement => {
  const { currency } = budget;
  const taken = thresholdDelta(charges);
  const thresholds = taken && decimalText(taken, 'up');
  const delta = addedDelta(budget.delta, taken);
  const spent = addAmounts(costOfAll(charges, currency), pending ?? zeroAmount);
  const epsilon = currency === 'pure' ? spent : budget.delta === undefined ? undefined : epsilonOf(spent, budget.delta);
  const warning = seeded ? ' THE NOISE CAME FROM A SEED: THIS IS AN EXPERIMENT AND PROTECTS NOBODY.' : '';
  return {
    dataset,
    relation,
    unit,
    currency,
    spent: formatAmount(spent),
    epsilon: epsilon === undefined ? undefined : formatAmount(epsilon),
    delta,
    seeded,
    text: `What was released from "${dataset}" is ${guarantee(spent, epsilon, currency, delta, thresholds)} for ${describeUnit(unit)}: it hides ${describeRelation(relation)}.${exceptFor(unit)}${warning}`,
  };
};
