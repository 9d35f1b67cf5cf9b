import { openJointRows } from '../../model/support/joint-rows.js';
import { reweighted, type Support } from '../../model/support/support.js';
import type { Measurement } from '../../privacy/measurement.js';
import { type FittedWeights, fitWeights, type ReweightEstimateOptions } from './fit-weights.js';
import { withOpenShares } from './open-start.js';
import { targetsOf } from './targets.js';

/** The reweighted public rows, and how far the fit went; its strides are for `followStrides`. */
export interface Reweighted extends Omit<FittedWeights, 'weights'> {
  readonly support: Support;
}

/**
 * Validated reweighting: the weights of the public rows that serve the measurements, reached from the public weights by mirror
 * descent and stopped before they fit the noise (`fitWeights`). See docs/reweighting.md.
 */
export const estimateReweighted = async (
  prior: Support,
  measurements: readonly Measurement[],
  options: ReweightEstimateOptions,
): Promise<Reweighted> => {
  const support = withOpenShares(prior, measurements, options.total);
  const { marginals, targets } = targetsOf(measurements, support.domain);
  const rows = await openJointRows(support, marginals, options);
  try {
    const { weights, ...rest } = await fitWeights(rows, targets, options);
    return { support: reweighted(support, weights), ...rest };
  } finally {
    rows.close();
  }
};
