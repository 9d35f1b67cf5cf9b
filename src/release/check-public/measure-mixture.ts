import { cellsOf } from '../../domain/domain.js';
import { planMarginals } from '../../estimate/multiplicative-weights/plan.js';
import type { Support } from '../../model/support/support.js';
import type { Measurement, NoisyError } from '../../privacy/measurement.js';
import type { Session, Share } from '../../privacy/session/session.js';
import type { Marginal } from '../../query/marginal.js';
import type { Workload } from '../../query/workload/workload.js';
import { marginalsOf } from '../marginals-of.js';
import {
  type MultiplicativeWeightsOptions,
  privateMultiplicativeWeights,
} from '../rounds/private-multiplicative-weights.js';

/** A private error with what its noise leaves open, both in proportion of the records. */
export interface CheckedError {
  readonly value: number;
  /** With 95% confidence the exact error is within this of `value`. */
  readonly margin: number;
}

/** The best mixture error, or that of a weighting found in rounds, which is at least as large. */
export interface CheckedMixture extends CheckedError {
  readonly kind: 'exact' | 'upper bound';
}

/** A mixture error that was paid for, with all that was measured for it: what a bundle must tell. */
export interface PaidMixture {
  readonly mixture: CheckedMixture;
  /** The error as the session gave it, in records. */
  readonly noisy: NoisyError;
  /** Cells that rounds measured on the way. */
  readonly measurements: readonly Measurement[];
}

export interface MeasureMixtureOptions extends Omit<MultiplicativeWeightsOptions, 'share' | 'totalShare' | 'total'> {
  /** The number of records, noisy or public. */
  readonly total: number;
  readonly share: Share;
  readonly kind: CheckedMixture['kind'];
}

/** Rows x marginals and cells up to which the best mixture error is measured itself. */
const exactEntries = 20_000;
const exactCells = 20_000;

/** How a support's mixture error is measured: itself where the problem is small, else by rounds that bound it from above. */
export const mixtureKind = (prior: Support, marginals: readonly Marginal[]): CheckedMixture['kind'] => {
  const cells = marginals.reduce((sum, { attributes }) => sum + cellsOf(prior.domain, attributes), 0);
  return prior.length * marginals.length <= exactEntries && cells <= exactCells ? 'exact' : 'upper bound';
};

/** Of a Laplace law of this scale, 95% lies within this of its centre. */
export const checkedError = ({ value, noise }: NoisyError, total: number): CheckedError => ({
  value: value / total,
  margin: (noise.scale * Math.log(20)) / total,
});

/**
 * The best mixture error of a support (PMW-Pub, Definition 2.1 and Lemma A.13), for `share` of the session's budget; where that is not
 * feasible, two thirds of the share find a weighting in private rounds, and a third measures its largest error.
 */
export const measureMixture = async (
  session: Session,
  prior: Support,
  workload: Workload,
  { kind, share, total, ...options }: MeasureMixtureOptions,
): Promise<PaidMixture> => {
  const marginals = marginalsOf(workload);
  if (kind === 'exact') {
    const noisy = await session.bestMixtureError(prior, marginals, total, share);
    return { mixture: { ...checkedError(noisy, total), kind }, noisy, measurements: [] };
  }
  const attributes = marginals.map((query) => query.attributes);
  const plan = options.plan ?? planMarginals(prior, attributes);
  const rounds = { rounds: 10, ...options, plan, total, share: (2 * share) / 3 };
  const { model, measurements } = await privateMultiplicativeWeights(session, prior, workload, rounds);
  const candidates = marginals.map((query) => ({ query, reference: model.answer(query) }));
  const noisy = await session.largestError(candidates, share / 3);
  return { mixture: { ...checkedError(noisy, total), kind }, noisy, measurements };
};
