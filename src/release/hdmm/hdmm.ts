import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { GraphicalOptions } from '../../estimate/graphical/estimate.js';
import { distinctCliques } from '../../estimate/graphical/targets.js';
import { zeroFactors } from '../../estimate/graphical/zeros.js';
import { estimateLls } from '../../estimate/local/estimate-lls.js';
import { type OracleWork, oracleWork } from '../../model/graphical/oracle/oracle.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { NoiseName } from '../../privacy/noise/noise-kinds.js';
import type { Session, Share } from '../../privacy/session/session.js';
import { attributesOf } from '../../query/answer.js';
import { pairsOrOneWays } from '../../query/workload/pairs-or-one-ways.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Random } from '../../random/random.js';
import { fittedGraphically } from '../fitted-graphically.js';
import type { Released } from '../released.js';
import { type HdmmPlan, planHdmm, type Template } from './hdmm-plan.js';

/** What HDMM measures. */
export interface MeasureHdmmOptions {
  /** What the release should answer well; by default all pairs of attributes of bounded size. */
  readonly workload?: Workload | undefined;
  /** Laplace under a pure budget and Gaussian under a zCDP one, unless said otherwise. */
  readonly noise?: NoiseName | undefined;
  /** Products of p-Identities, or marginals; by default the latter where the workload has nothing else. */
  readonly template?: Template | 'auto' | undefined;
  /** Part of the session's budget to spend; all that remains by default. */
  readonly share?: Share | undefined;
  /** What to measure, where `planHdmm` has been asked before: the workload, the noise and the template are those of the plan. */
  readonly plan?: HdmmPlan | undefined;
}

/** What HDMM measures, and how it estimates. */
export interface HdmmOptions extends MeasureHdmmOptions, Omit<GraphicalOptions, 'loss' | 'prior' | 'start' | 'random'> {
  /** For the probes of validated stopping: post-processing, so any generator will do. */
  readonly random: Random;
  /** Least squares of each measurement by itself, or a graphical model of them all (the default). */
  readonly estimator?: 'lls' | 'pgm' | undefined;
}

/** Noisy answers of HDMM's strategies, and what they are. */
export interface HdmmMeasured {
  readonly plan: HdmmPlan;
  readonly measurements: readonly Measurement[];
}

/**
 * Measures a workload by HDMM's strategies: one measurement for each, with its part of the budget. What comes out goes to
 * `estimateGraphical` or to `estimateLls`.
 */
export const measureHdmm = async (session: Session, options: MeasureHdmmOptions = {}): Promise<HdmmMeasured> => {
  const workload = options.workload ?? pairsOrOneWays(session.domain);
  const share = options.share ?? session.remaining;
  const plan = options.plan ?? planHdmm(session, workload, { ...options, share });
  const { noise, parts } = plan;
  const measurements = await session.measure(plan.queries, share, { noise, weights: parts });
  return { plan, measurements };
};

/**
 * HDMM, the High-Dimensional Matrix Mechanism (McKenna, Miklau, Hay, Machanavajjhala 2018): measures linear combinations of counts that
 * were optimised for the workload, and answers it from them, by least squares for each measurement or by a graphical model of all
 * (HDMM+PGM of Private-PGM, section 4). Private because it only measures; strategies depend on nothing private.
 *
 * @example
 * ```ts
 * const { model } = await hdmm(session, { workload, random: seeded(1) });
 * ```
 */
export const hdmm = async (session: Session, options: HdmmOptions): Promise<Released> => {
  const { domain } = session;
  const { estimator = 'pgm', workload = pairsOrOneWays(domain) } = options;
  checkKept(domain, estimator);
  if (estimator === 'pgm') treeWork(domain, workload, options);
  const { plan, measurements } = await measureHdmm(session, { ...options, workload });
  const { template, error, identityError } = plan;
  const notes = { template, estimator, strategies: plan.queries.length, error, identityError };
  if (estimator === 'lls') {
    const estimate = (of: readonly Measurement[]) => estimateLls(domain, of, { joint: template === 'marginals' });
    return { model: estimate(measurements), measurements, notes, refit: async (others) => estimate(others) };
  }
  const { until, threads, workers, signal, onProgress, random, iterations, tolerance } = options;
  const { algorithm, memory, approximate, probes, onStep, total } = options;
  const fitting = {
    until,
    onProgress,
    onStep,
    threads,
    workers,
    signal,
    random,
    iterations,
    tolerance,
    algorithm,
    memory,
    approximate,
    probes,
    total,
  };
  const { model, chosen, refit, refitsAnywhere } = await fittedGraphically(domain, measurements, fitting);
  return {
    model,
    measurements,
    notes: { ...notes, total: model.total, chosen: { ...chosen } },
    refit,
    refitsAnywhere,
  };
};

/** Refuses an estimate that is no distribution where the schema says what cannot be. */
export const checkKept = (domain: Domain, estimator: HdmmOptions['estimator']): void => {
  if (estimator === 'lls' && domain.constraints !== undefined)
    throw new InputError(
      'estimator: least squares make no distribution that could keep the constraints of the schema, got lls; use pgm, or take the constraints out',
    );
};

/** The bytes of the graphical model's tables; refuses, before anything is spent, a workload for which they would be too many. */
export const treeWork = (
  domain: Domain,
  { queries }: Workload,
  { memory, approximate }: Pick<GraphicalOptions, 'memory' | 'approximate'>,
): OracleWork => {
  const cliques = distinctCliques([
    ...queries.map(({ query }) => attributesOf(query)),
    ...zeroFactors(domain).map(({ attributes }) => attributes),
  ]);
  return oracleWork(domain, cliques, { memory, approximate });
};
