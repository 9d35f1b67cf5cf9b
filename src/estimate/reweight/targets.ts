import type { Domain } from '../../domain/domain.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import { residualPart } from '../../query/residual.js';
import { varianceOf } from '../total/estimate-total.js';

/** What a descent fits: answers of a query seen through one of the rows' cell maps. */
export interface Target {
  readonly measurement: Measurement;
  readonly map: number;
  /** Variance of the noise in each cell: that of an answer, unless it is one of a residual. */
  readonly variance: number;
  /**
   * The part of the noise that the answers hold: less than 1 for a residual, which keeps to a smaller space. There the squared loss is the
   * likelihood of what was measured, since noise that is projected away tells nothing, and `part` of the answers count.
   */
  readonly part: number;
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
    const part = residualPart(measurement.query, domain);
    return { measurement, map: known.get(key)!, variance: varianceOf(measurement), part };
  });
  return { marginals, targets };
};

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
