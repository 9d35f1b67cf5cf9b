import type { Answering } from '../model/model.js';
import type { Replicates } from '../model/replicates.js';
import type { Measurement } from '../privacy/measurement.js';
import type { Query } from '../query/query.js';
import { type NoiseBounds, noiseBounds } from './noise-bounds.js';
import { studentQuantile } from './student-t.js';

/** What bounds are made from: an opened bundle is one. */
export interface BoundsSource {
  readonly model: Answering;
  readonly measurements: readonly Measurement[];
  readonly replicates?: Replicates | undefined;
}

/** Where the true answers are believed to lie; one entry for each answer. */
export interface Bounds {
  /** The model's answers. */
  readonly values: Float64Array;
  /** NaN where no bound is known. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** How often a bound is meant to hold. */
export const boundLevel = 0.95;

/**
 * How often replicates' own errors would stay within a bound that is made from them: more often than the bound is meant to hold, because a few
 * replicates, and one inflation for all answers, know the error of a single answer roughly.
 */
const replicateLevel = 0.97;

/**
 * The model's answers to a query with 95% bounds, from the noise of measurements that determine the answer or from replicates, whichever is
 * narrower; NaN where neither says anything. Costs no privacy. See docs/sql.md for what is covered and what is not.
 */
export const boundsOf = (source: BoundsSource, query: Query): Bounds => {
  const refitted = boundsOfStatistic(source, (model) => model.answer(query), 0);
  const measured = noiseBounds(source.measurements, source.model.domain, query);
  return measured === undefined ? refitted : narrower(refitted, measured);
};

/** The narrower of two bounds of the same counts. One from noise alone may miss the model's answer: widening it costs no coverage. */
export const narrower = (refitted: Bounds, measured: NoiseBounds): Bounds => {
  const { values } = refitted;
  const low = measured.low.map((bound, i) => Math.max(0, Math.min(bound, values[i])));
  const high = measured.high.map((bound, i) => Math.max(bound, values[i]));
  for (let i = 0; i < values.length; i++)
    if (refitted.high[i] - refitted.low[i] < high[i] - low[i]) [low[i], high[i]] = [refitted.low[i], refitted.high[i]];
  return { values, low, high };
};

/**
 * The same for any numbers that are worked out from a model, such as averages and shares, from replicates alone. Numbers that
 * no replicate moves have no bound: that the model cannot move them does not make them right. `least` is a value the numbers
 * cannot fall below.
 */
export const boundsOfStatistic = (
  { model, replicates }: Pick<BoundsSource, 'model' | 'replicates'>,
  statistic: (model: Answering) => Float64Array,
  least = -Infinity,
): Bounds => {
  const values = statistic(model);
  const low = new Float64Array(values.length).fill(Number.NaN);
  const high = low.slice();
  if (replicates === undefined) return { values, low, high };
  const { models, truths, inflation } = replicates;
  const squares = new Float64Array(values.length);
  models.forEach((replicate, k) => {
    const truth = statistic(truths[k]);
    statistic(replicate).forEach((value, i) => {
      squares[i] += (value - truth[i]) ** 2;
    });
  });
  // Errors are from a known truth, so each replicate is a degree of freedom.
  const factor = inflation * studentQuantile(replicateLevel, models.length);
  for (let i = 0; i < values.length; i++) {
    const reach = factor * Math.sqrt(squares[i] / models.length);
    // Less than rounding leaves is no movement.
    if (!(reach > 1e-9 * Math.abs(values[i]))) continue;
    low[i] = Math.max(least, values[i] - reach);
    high[i] = values[i] + reach;
  }
  return { values, low, high };
};
