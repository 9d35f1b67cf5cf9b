import { cellsOf, type Domain } from '../../domain/domain.js';
import { cliqueKey } from '../../estimate/graphical/targets.js';
import { estimateTotal } from '../../estimate/total/estimate-total.js';
import { expectedError } from '../../privacy/expected-error.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session, Share } from '../../privacy/session/session.js';
import { answerSize, attributesOf } from '../../query/answer.js';
import { residualPart } from '../../query/residual.js';
import { batchOf, type Pair } from './candidates.js';
import { signalsOf } from './signals.js';

/** What a pair must exceed noise by to have something to tell, in standard deviations of its squared distance from independent attributes. */
const leastDeviations = 2;
/** Noise of a pair (`noiseOfAll`) up to which all are measured: what a look does not see is then worth as much. */
const cheapNoise = 0.02;
/**
 * Cells of a pair, in the median, up to which a look at all pairs is preferred to rounds of private choices, and the noise with the whole budget (`noiseOfAll`) from which
 * on it is: below, triples that only rounds measure matter more, and the sooner the more cells they have.
 */
export const preferred = [
  { cells: 4, noise: 0.004 },
  { cells: 6, noise: 0.01 },
] as const;
/** Noise from which on it is preferred whatever the cells: rounds would choose by noise as well, and pay for it. Up to so many pairs as it was tried with, about. */
export const drowned = { noise: 0.5, pairs: 500 };

/** Whether pairs are small enough, and noisy enough, that a look at all of them is the better way: measured on made-up tables, see docs/pairs.md. */
export const isPreferred = (domain: Domain, pairs: readonly Pair[], noise: number): boolean => {
  const cells = pairs.map(({ attributes }) => cellsOf(domain, attributes)).sort((a, b) => a - b);
  if (noise >= drowned.noise && pairs.length > 0 && pairs.length <= drowned.pairs) return true;
  const middle = cells[cells.length >> 1];
  return preferred.some((bound) => middle <= bound.cells && noise >= bound.noise);
};

/** The pairs that measurements tell something of, strongest first. */
export const tellingPairs = (domain: Domain, measurements: readonly Measurement[]): (readonly string[])[] =>
  measurements.length === 0
    ? []
    : signalsOf(domain, measurements)
        .filter(({ deviations }) => deviations >= leastDeviations)
        .map(({ attributes }) => attributes);

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

/**
 * The pairs that are worth a closer measurement with what is left: all of them where noise is small whatever is measured, else those in which the
 * look saw more than noise. Noisy answers decide, so it is free.
 */
export const worthMeasuring = (
  session: Session,
  pairs: readonly Pair[],
  look: readonly Measurement[],
  share: Share,
): readonly Pair[] => {
  if (look.length === 0) return [];
  const { domain } = session;
  if (noiseOfAll(session, pairs, share, estimateTotal(look, domain)) <= cheapNoise) return pairs;
  const telling = new Set(tellingPairs(domain, look).map(cliqueKey));
  return pairs.filter(({ attributes }) => telling.has(cliqueKey(attributes)));
};
