import { estimateIde, type IdeEstimateOptions } from '../../estimate/ide/ide.js';
import { redrawSupport } from '../../model/support/redraw-weights.js';
import type { Support } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session, Share } from '../../privacy/session/session.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Released } from '../released.js';
import { type IdeMeasure, ideWorkload } from './workload.js';

/** What IDE measures, and how it estimates. */
export interface IdeOptions extends Omit<IdeEstimateOptions, 'total'> {
  /** What to measure, chosen from the public rows; `'cliques'` of dependent attributes by default, as in the paper. */
  readonly measure?: IdeMeasure | undefined;
  /** What to measure instead, each query by its weight's part of the budget. */
  readonly workload?: Workload | undefined;
  /** Part of the session's budget to spend; by default all that remains. */
  readonly share?: Share | undefined;
}

/**
 * Select, measure, reconstruct with IDE (Tao, Bater, Machanavajjhala 2021, section 4.1): measures a workload at once, with
 * Gaussian noise under a zCDP budget and Laplace noise under a pure one, and updates the public prior by the answers. Private
 * because it only measures; the estimate is post-processing. The number of records is estimated from the same answers instead
 * of being bought as in the paper's Algorithm 2, line 2.
 */
export const ide = async (session: Session, prior: Support, options: IdeOptions): Promise<Released> => {
  const { queries } = options.workload ?? ideWorkload(prior, options.measure);
  const measurements = await session.measure(
    queries.map(({ query }) => query),
    options.share ?? session.remaining,
    { weights: queries.map(({ weight }) => weight) },
  );
  return { measurements, ...(await updatedTo(prior, measurements, options)) };
};

/** The public rows updated by all measurements, with what a release tells of it. */
export const updatedTo = async (
  prior: Support,
  measurements: readonly Measurement[],
  options: Omit<IdeEstimateOptions, 'total'>,
): Promise<Pick<Released, 'model' | 'notes' | 'refit' | 'unmeasured'>> => {
  const { support, total, trace, offered, converged } = await estimateIde(prior, measurements, options);
  return {
    model: supportModel(support, total),
    unmeasured: 'public rows',
    refit: async (others, random) => {
      // As many epochs as led to the offer; the progress is the release's own.
      const { onProgress: _, ...same } = options;
      const start = random === undefined ? prior : redrawSupport(prior, random);
      const fitted = await estimateIde(start, others, {
        ...same,
        epochs: Math.max(1, offered.epoch),
        until: 'converged',
      });
      return supportModel(fitted.support, fitted.total);
    },
    notes: { epochs: trace.length - 1, converged, offered: { ...offered } },
  };
};
