import { mended } from '../../domain/constraints/mended.js';
import type { HouseholdTable } from '../../domain/households/household-table.js';
import { InputError } from '../../domain/input-error.js';
import { codeColumn } from '../../domain/table.js';
import type { Random } from '../../random/random.js';
import { redrawWeights } from '../support/redraw-weights.js';

/** Households with a probability each. Plain data. */
export interface HouseholdSupport {
  readonly table: HouseholdTable;
  /** One for each household, non-negative, with sum 1. */
  readonly weights: Float64Array;
  /** What one public household weighs, where some that nobody saw weigh less; otherwise it is the least weight. */
  readonly record?: number | undefined;
}

/** Number of households of a table. */
export const householdCount = ({ offsets }: Pick<HouseholdTable, 'offsets'>): number => offsets.length - 1;

/** Refuses a support without a weight for each of its households. */
export const checkHouseholdSupport = ({ table, weights }: HouseholdSupport): void => {
  if (table.domain.households === undefined)
    throw new InputError('households: must be declared by the domain of the table, got a plain one');
  if (householdCount(table) < 1 || weights.length !== householdCount(table))
    throw new InputError(
      `weights: must be one for each of at least one household, got ${weights.length} for ${householdCount(table)}`,
    );
};

/** A value for each household, as one for each of its persons. Overwrites `target`. */
export const spreadToPersons = (
  { offsets }: Pick<HouseholdTable, 'offsets'>,
  values: Float64Array,
  target: Float64Array,
): void => {
  for (let h = 0; h + 1 < offsets.length; h++) target.fill(values[h], offsets[h], offsets[h + 1]);
};

/**
 * The empirical distribution of a public table of households. Households that no query tells apart, which say the same of themselves and hold the same persons in whatever
 * order, are listed once. Those that break a constraint of the domain are mended (`mended`).
 */
export const householdSupportOf = (given: HouseholdTable): HouseholdSupport => {
  const table = mended(given);
  const { domain, columns, offsets } = table;
  if (domain.households === undefined)
    throw new InputError('public households: must be declared by the domain of the table, got a plain one');
  if (householdCount(table) < 1)
    throw new InputError('public households: must be at least one, got none; without them there is no support');
  const known = new Map<string, number>();
  const first: number[] = [];
  const counts: number[] = [];
  for (let h = 0; h < householdCount(table); h++) {
    const persons: string[] = [];
    for (let row = offsets[h]; row < offsets[h + 1]; row++)
      persons.push(columns.map((column) => column[row]).join(' '));
    const key = persons.sort().join();
    const place = known.get(key) ?? first.push(h) - 1;
    known.set(key, place);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return {
    table: chosenHouseholds(table, first),
    weights: Float64Array.from(counts, (count) => count / householdCount(table)),
  };
};

/** These households of a table, in this order, each as often as it is named. */
export const chosenHouseholds = (
  { domain, columns, offsets }: HouseholdTable,
  chosen: readonly number[],
): HouseholdTable => {
  const starts = new Uint32Array(chosen.length + 1);
  for (let i = 0; i < chosen.length; i++) starts[i + 1] = starts[i] + offsets[chosen[i] + 1] - offsets[chosen[i]];
  const length = starts[chosen.length];
  const target = domain.attributes.map(({ size }) => codeColumn(size, length));
  for (let a = 0; a < target.length; a++)
    for (let i = 0; i < chosen.length; i++)
      target[a].set(columns[a].subarray(offsets[chosen[i]], offsets[chosen[i] + 1]), starts[i]);
  return { domain, length, columns: target, offsets: starts };
};

/** The households as another public sample of the same kind might have weighted them (`redrawSupport`). */
export const redrawHouseholds = ({ table, weights, record }: HouseholdSupport, random: Random): HouseholdSupport => {
  const drawn = redrawWeights(weights, random, record);
  const sum = drawn.reduce((all, weight) => all + weight, 0);
  return { table, weights: drawn.map((weight) => weight / sum) };
};
