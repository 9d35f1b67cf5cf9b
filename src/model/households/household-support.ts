import type { HouseholdTable } from '../../domain/households/household-table.js';

/** Households with a probability each. Plain data. */
export interface HouseholdSupport {
  readonly table: HouseholdTable;
  /** One for each household, non-negative, with sum 1. */
  readonly weights: Float64Array;
}

/** Number of households of a table. */
export const householdCount = ({ offsets }: Pick<HouseholdTable, 'offsets'>): number => offsets.length - 1;

/** A value for each household, as one for each of its persons. Overwrites `target`. */
export const spreadToPersons = (
  { offsets }: Pick<HouseholdTable, 'offsets'>,
  values: Float64Array,
  target: Float64Array,
): void => {
  for (let h = 0; h + 1 < offsets.length; h++) target.fill(values[h], offsets[h], offsets[h + 1]);
};
