import type { Domain } from '../../domain/domain.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import { type LinearMap, linearMap } from '../../query/linear-map.js';
import { residualPart } from '../../query/residual.js';
import { varianceOf } from '../total/estimate-total.js';

/** What a descent fits: answers of a query seen through one of the cell maps. */
export interface Target {
  readonly measurement: Measurement;
  /** Where its answers begin among those of all targets, which lie in one array. */
  readonly from: number;
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
  const froms = firstAnswers(measurements);
  const targets = measurements.map((measurement, t): Target => {
    const attributes = attributesOf(measurement.query);
    const key = JSON.stringify(attributes);
    if (!known.has(key)) known.set(key, marginals.push(attributes) - 1);
    const variance = varianceOf(measurement);
    return {
      measurement,
      from: froms[t],
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

/** Where the answers of each measurement begin when all lie in one array. */
export const firstAnswers = (measurements: readonly Measurement[]): number[] => {
  let next = 0;
  return measurements.map(({ values }) => {
    const from = next;
    next += values.length;
    return from;
  });
};

/** Lists of answers, one for each target, as one array. */
export const inOneArray = (lists: readonly Float64Array[]): Float64Array => {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let next = 0;
  for (const list of lists) {
    all.set(list, next);
    next += list.length;
  }
  return all;
};

/** How many answers the noise of all targets is in. */
export const noisyAnswers = (targets: readonly Target[]): number =>
  targets.reduce(
    (sum, { deviation, part, measurement: { values } }) => sum + (deviation > 0 ? part * values.length : 0),
    0,
  );

/** Sum over all answers of (a - b)^2 / variance. */
export const squaredDistance = (targets: readonly Target[], a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (const { variance, from, measurement } of targets) {
    let squares = 0;
    for (let i = from, end = from + measurement.values.length; i < end; i++) {
      const gap = a[i] - b[i];
      squares += gap * gap;
    }
    sum += squares / variance;
  }
  return sum;
};
