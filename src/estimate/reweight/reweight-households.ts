import type { HouseholdSupport } from '../../model/households/household-support.js';
import { openSlicedHouseholds } from '../../model/households/sliced-households.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Stride } from '../stopping/stepper.js';
import { type FittedWeights, fitWeights, type ReweightEstimateOptions } from './fit-weights.js';
import { type FollowOptions, followWeights } from './follow-strides.js';
import { householdTargets } from './household-targets.js';

/** The reweighted public households, and how far the fit went; its strides are for `followHouseholds`. */
export interface ReweightedHouseholds extends Omit<FittedWeights, 'weights'> {
  readonly support: HouseholdSupport;
}

/**
 * Validated reweighting of public households: weights base(x) exp(sum over measured answers of lambda q(x)), where q(x) is what a household adds to an answer, 0 or 1
 * for a count of households and a number of persons for a count of persons, reached from the public weights by mirror descent
 * and stopped before they fit the noise, as for rows (`fitWeights`). See docs/households.md.
 */
export const estimateReweightedHouseholds = async (
  support: HouseholdSupport,
  measurements: readonly Measurement[],
  options: ReweightEstimateOptions,
): Promise<ReweightedHouseholds> => {
  const { queries, targets } = householdTargets(measurements, support.table.domain);
  const households = await openSlicedHouseholds(support, queries, options);
  try {
    const { weights, ...rest } = await fitWeights(households, targets, options);
    return { support: { table: support.table, weights }, ...rest };
  } finally {
    households.close();
  }
};

/** Takes the steps of an earlier fit towards other answers of the same queries. */
export const followHouseholds = async (
  support: HouseholdSupport,
  measurements: readonly Measurement[],
  strides: readonly Stride[],
  options: FollowOptions = {},
): Promise<{ readonly support: HouseholdSupport; readonly total: number }> => {
  const { queries, targets } = householdTargets(measurements, support.table.domain);
  const households = await openSlicedHouseholds(support, queries, options);
  try {
    const { weights, total } = await followWeights(households, targets, strides, options);
    return { support: { table: support.table, weights }, total };
  } finally {
    households.close();
  }
};
