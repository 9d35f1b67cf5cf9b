import { expectedError } from '../../privacy/expected-error.js';
import type { Share } from '../../privacy/session/session.js';
import { answerSize, attributesOf } from '../../query/answer.js';
import { residualPart } from '../../query/residual.js';
import { batchOf, type Pair } from './candidates.js';
import type { Signal } from './signals.js';

/**
 * Part of the budget that rounds of private choices may have, by the noise of a pair (`noiseOfAll`) if all were measured with the whole budget: the more there is of it the more pairs cost as much
 * as the one marginal that a round teaches, and beyond the last noise here there are no rounds.
 */
const roundsParts = [
  { below: 0.15, part: 0.6 },
  { below: 0.4, part: 0.3 },
];

export const roundsPartAt = (noise: number): number => roundsParts.find(({ below }) => noise < below)?.part ?? 0;

/** The total variation distance from the truth that noise alone would cause in a pair, in the median, if all were measured with this share: a few large pairs do not decide. */
export const noiseOfAll = (
  door: Parameters<typeof batchOf>[0],
  pairs: readonly Pair[],
  share: Share,
  records: number,
): number => {
  const { queries, weights } = batchOf(door, pairs);
  const errors = door.preview(queries, share, { weights }).flatMap((noise, i) => {
    const cells = answerSize(queries[i], door.domain) * Math.sqrt(residualPart(queries[i], door.domain));
    return attributesOf(queries[i]).length === 2 ? [Math.min(1, (cells * expectedError(noise)) / 2 / records)] : [];
  });
  return errors.sort((a, b) => a - b)[errors.length >> 1];
};

/** Deviations from which on a pair may be worth a closer measurement, if not too many would reach them by noise. */
const leastDeviations = 1;
/** Part of what is found that noise alone may be expected to have found. */
const mostFalse = 1 / 3;
/** Deviations beyond which next to nothing is by noise. */
const clearDeviations = 4;

/**
 * Whether a pair is worth a closer measurement: it stands out from what the model says by a standard deviation of noise, or by as many as it takes so that of all that stand out as far
 * noise alone would have made a third at most (as Benjamini and Hochberg 1995 bound false discoveries). Noisy answers decide, so it is free.
 */
export const worthMeasuring = ({ deviations }: Signal, all: readonly Signal[]): boolean => {
  if (deviations < leastDeviations || deviations >= clearDeviations) return deviations >= clearDeviations;
  const found = all.filter((each) => each.deviations >= deviations).length;
  return all.length * normalTail(deviations) <= mostFalse * found;
};

/** Whether a pair tells something beyond independent attributes, where noise is too large to ask more. */
export const standsOutAtAll = ({ deviations }: Signal): boolean => deviations >= 2;

/** Whether a model that is still to be shown what it gets wrong holds a pair: only what is plain, and more than the noise that comes with it. */
export const isPlain = ({ deviations, dimensions }: Signal): boolean =>
  deviations >= Math.max(4, Math.sqrt(dimensions / 2));

/** Whether the last model holds a pair: it tells something, and half as much as the noise that comes with it. */
export const isTelling = ({ deviations, dimensions }: Signal): boolean =>
  deviations >= Math.max(2, Math.sqrt(dimensions / 8));

/** The part of a standard normal variable above z, from 1 to 4, to a thousandth of itself (Zelen and Severo 1964, 26.2.17). */
const normalTail = (z: number): number => {
  const t = 1 / (1 + 0.2316419 * z);
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (series * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
};
