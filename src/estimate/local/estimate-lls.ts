import type { Domain } from '../../domain/domain.js';
import { type LocalAnswers, type LocalModel, type LocalTable, localModel } from '../../model/local-model.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import { neededFactors } from '../../query/factors.js';
import { estimateTotal } from '../total/estimate-total.js';
import { jointMarginals } from './joint-marginals.js';
import { leastSquares } from './pseudo-inverse.js';

export interface LlsOptions {
  /** Number of records, where it is public; estimated from the measurements by default. */
  readonly total?: number | undefined;
  /** Least squares over all measured marginals together, rather than each by itself; false by default. */
  readonly joint?: boolean | undefined;
}

/**
 * Local least squares (the estimator LLS of Private-PGM's section 5): the counts of each measurement's marginal that fit its own answers
 * best, A^+ y. Linear, so unbiased; with no regard to other measurements and with negative counts. A measurement that does not
 * tell every cell is kept as its answers.
 */
export const estimateLls = (
  domain: Domain,
  measurements: readonly Measurement[],
  { total = estimateTotal(measurements, domain), joint = false }: LlsOptions = {},
): LocalModel => {
  if (joint) return localModel(domain, total, jointMarginals(domain, measurements));
  const tables: LocalTable[] = [];
  const answers: LocalAnswers[] = [];
  for (const { query, values } of measurements) {
    const solve = leastSquares(neededFactors(query, domain));
    if (solve === undefined) answers.push({ query, values });
    else tables.push({ attributes: attributesOf(query), counts: solve(values) });
  }
  return localModel(domain, total, tables, answers);
};
