import type { Domain } from '../../domain/domain.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import { type LinearMap, linearMap } from '../../query/linear-map.js';
import { residualPart } from '../../query/residual.js';
import { varianceOf } from '../total/estimate-total.js';

/** What a descent fits: answers of a query seen through one of the cell maps. */
export interface Target {
  readonly measurement: Measurement;
  readonly map: number;
  /** The answers by the cells of that map. */
  readonly linear: LinearMap;
  /** What squared errors are divided by: the variance of the noise in each cell, which is that of an answer unless it is one of a residual. */
  readonly variance: number;
  /** Standard deviation of that noise: 0 for answers without any, whose `variance` says no more than how closely they are wanted. */
  readonly deviation: number;
  /**
   * The part of the noise that the answers hold: less than 1 for a residual, which keeps to a smaller space. There the squared loss is the
   * likelihood of what was measured, since noise that is projected away tells nothing, and `part` of the answers count.
   */
  readonly part: number;
  /** The largest sum of squares over all cells of what one thing adds to each: 1 for a row, which is in one cell. */
  readonly reach: number;
}

/** Distinct marginals that the measurements need, and where each measurement finds its own. */
export const targetsOf = (
  measurements: readonly Measurement[],
  domain: Domain,
): { marginals: string[][]; targets: Target[] } => {
  const marginals: string[][] = [];
  const known = new Map<string, number>();
  const targets = measurements.map((measurement): Target => {
    const attributes = attributesOf(measurement.query);
    const key = JSON.stringify(attributes);
    if (!known.has(key)) known.set(key, marginals.push(attributes) - 1);
    const variance = varianceOf(measurement);
    return {
      measurement,
      map: known.get(key)!,
      linear: linearMap(measurement.query, domain),
      variance,
      deviation: Math.sqrt(variance),
      part: residualPart(measurement.query, domain),
      reach: 1,
    };
  });
  return { marginals, targets };
};

/** How many answers the noise of all targets is in. */
export const noisyAnswers = (targets: readonly Target[]): number =>
  targets.reduce(
    (sum, { deviation, part, measurement: { values } }) => sum + (deviation > 0 ? part * values.length : 0),
    0,
  );

/** Sum over all answers of (a - b)^2 / variance. */
export const squaredDistance = (
  targets: readonly Target[],
  a: readonly Float64Array[],
  b: readonly Float64Array[],
): number => {
  let sum = 0;
  targets.forEach(({ variance }, t) => {
    const [mine, theirs] = [a[t], b[t]];
    let squares = 0;
    for (let i = 0; i < mine.length; i++) squares += (mine[i] - theirs[i]) ** 2;
    sum += squares / variance;
  });
  return sum;
};
