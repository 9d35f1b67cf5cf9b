import { limits } from '../../domain/limits.js';
import type { Running } from '../../domain/running.js';
import type { Support } from '../../model/support/support.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session, Share } from '../../privacy/session/session.js';
import { pairsOrOneWays } from '../../query/workload/pairs-or-one-ways.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Random } from '../../random/random.js';
import { graphicallyTo } from '../fitted-graphically.js';
import type { Released } from '../released.js';
import { reweightedTo } from '../reweighted.js';
import {
  type ResidualEstimator,
  type ResidualObjective,
  residualPlannerDefaults,
  residualWork,
  usableEstimator,
} from './settings.js';

/** What the planner measures, and how the answers become a model. */
export interface ResidualPlannerOptions extends Threads, Running {
  /** For the probes of validated stopping: post-processing, so any generator will do. */
  readonly random: Random;
  /** The marginals that are to be answered well; by default all pairs of attributes with at most `mostPairCells` cells, and attributes in no such pair alone. */
  readonly workload?: Workload | undefined;
  /** The public rows, for the estimator `reweight`. */
  readonly prior?: Support | undefined;
  /** `auto` by default: `reweight` where there are public rows, else `pgm`. */
  readonly estimator?: ResidualEstimator | undefined;
  /** `cells` by default, as in the paper. */
  readonly objective?: ResidualObjective | undefined;
  /** Where the estimate stops; by validation by default. */
  readonly until?: 'validated' | 'converged' | undefined;
  /** Steps of the estimate at most; 1,000 by default. */
  readonly iterations?: number | undefined;
  /** Part of the session's budget to spend; by default all that remains. */
  readonly share?: Share | undefined;
}

/**
 * ResidualPlanner (Xiao, He, Zhang, Kifer 2023): measures each residual that a workload of marginals is made of once, with the split of the
 * budget that makes the sum of the variances of the workload's cells least among all Gaussian measurements, and estimates one model from
 * all of them. Private because it only measures; needs a budget with a delta.
 *
 * @example
 * ```ts
 * const { model } = await residualPlanner(session, { prior: supportOf(publicTable), random: seeded(1) });
 * ```
 */
export const residualPlanner = async (session: Session, options: ResidualPlannerOptions): Promise<Released> => {
  const { domain } = session;
  const { workload = pairsOrOneWays(domain), objective = residualPlannerDefaults.objective } = options;
  const work = residualWork(session, workload, objective);
  const estimator = usableEstimator(options.estimator ?? 'auto', domain, work, options.prior);
  const measurements = await session.measure(
    work.residuals.map(({ query }) => query),
    options.share ?? session.remaining,
    { weights: work.parts },
  );
  const estimated = await estimates[estimator](measurements, { ...options, domain });
  return {
    ...estimated,
    measurements,
    notes: { estimator, objective, residuals: measurements.length, ...estimated.notes },
  };
};

type Estimate = (
  measurements: readonly Measurement[],
  options: ResidualPlannerOptions & Pick<Session, 'domain'>,
) => Promise<Pick<Released, 'model' | 'notes' | 'refit' | 'refitsAnywhere' | 'unmeasured'>>;

/** From all measured residuals to a model, by estimator. */
const estimates: Readonly<Record<'pgm' | 'reweight', Estimate>> = {
  pgm: (measurements, { domain, random, until, iterations, threads, workers, signal, onProgress }) =>
    graphicallyTo(domain, measurements, {
      until,
      iterations,
      random,
      threads,
      workers,
      signal,
      onProgress,
      memory: limits.modelBytes,
      approximate: true,
    }),
  reweight: (measurements, { prior, ...options }) => reweightedTo(prior!, measurements, options),
};
