import type { Running } from '../../domain/running.js';
import { openJointRows } from '../../model/support/joint-rows.js';
import { reweighted, type Support } from '../../model/support/support.js';
import type { Weighted } from '../../model/support/weighted.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Stride } from '../stopping/stepper.js';
import { startDescent } from './descent.js';
import { withOpenShares } from './open-start.js';
import { type Target, targetsOf } from './targets.js';

export interface FollowOptions extends Threads, Pick<Running, 'signal'> {
  /** Number of records, or of households, where it is public; otherwise it is fitted along with the weights. */
  readonly total?: number | undefined;
}

/**
 * Takes the steps of an earlier fit towards other answers: the same estimator, stopped at the same point, at a fraction of the cost of finding
 * that point. A step that would overflow ends it there.
 */
export const followWeights = async (
  weighted: Weighted,
  targets: readonly Target[],
  strides: readonly Stride[],
  { total, signal }: FollowOptions,
): Promise<{ readonly weights: Float64Array; readonly total: number }> => {
  const fit = await startDescent(weighted, targets, total);
  for (const { step, momentum } of strides) {
    signal?.throwIfAborted();
    await fit.findDirection();
    if (!Number.isFinite((await fit.attempt(step, momentum)).chi)) break;
    await fit.accept();
  }
  return { weights: await fit.distribution(), total: fit.total };
};

/** The same for rows, towards other answers of the same queries. */
export const followStrides = async (
  prior: Support,
  measurements: readonly Measurement[],
  strides: readonly Stride[],
  options: FollowOptions = {},
): Promise<{ readonly support: Support; readonly total: number }> => {
  const support = withOpenShares(prior, measurements, options.total);
  const { marginals, targets } = targetsOf(measurements, support.domain);
  const rows = await openJointRows(support, marginals, options);
  try {
    const { weights, total } = await followWeights(rows, targets, strides, options);
    return { support: reweighted(support, weights), total };
  } finally {
    rows.close();
  }
};
