import type { Relation } from '../../query/relation.js';
import { byUnit, type Unit } from '../../query/unit.js';
import { type Amount, addAmounts, formatAmount, zeroAmount } from '../accounting/amount.js';
import type { Budget } from '../accounting/budget.js';
import { type Charge, costOfAll } from '../accounting/charge.js';
import { epsilonOf } from '../accounting/conversion.js';
import type { Currency } from '../accounting/currency.js';

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

const guarantee = (spent: Amount, epsilon: Amount | undefined, budget: Budget): string => {
  if (budget.currency === 'pure') return `${formatAmount(spent)}-differentially private`;
  const rho = `${formatAmount(spent)}-zCDP`;
  return epsilon === undefined
    ? rho
    : `${rho}, hence (${formatAmount(epsilon)}, ${budget.delta})-differentially private`;
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
  const { currency, delta } = budget;
  const spent = addAmounts(costOfAll(charges, currency), pending ?? zeroAmount);
  const epsilon = currency === 'pure' ? spent : delta === undefined ? undefined : epsilonOf(spent, delta);
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
    text: `What was released from "${dataset}" is ${guarantee(spent, epsilon, budget)} for ${describeUnit(unit)}: it hides ${describeRelation(relation)}.${exceptFor(unit)}${warning}`,
  };
};
