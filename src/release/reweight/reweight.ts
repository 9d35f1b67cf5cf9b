import { declaredCells } from '../../domain/declared-cells.js';
import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { defaultIterations } from '../../estimate/reweight/fit-weights.js';
import { defaultProbes } from '../../estimate/stopping/risk-probes.js';
import { defaultDraws } from '../../estimate/widen/widening.js';
import type { Support } from '../../model/support/support.js';
import type { Session, Share } from '../../privacy/session/session.js';
import { attributesOf } from '../../query/answer.js';
import { mostPairCells, pairsOrOneWays } from '../../query/workload/pairs-or-one-ways.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Released } from '../released.js';
import { type ReweightedToOptions, reweightedTo } from '../reweighted.js';

/** What reweighting is told where nobody says otherwise. */
export const reweightDefaults = {
  maxCells: mostPairCells,
  iterations: defaultIterations,
  lambda: 'auto',
  draws: defaultDraws,
  probes: defaultProbes,
};

export type ReweightSettings = typeof reweightDefaults;

/** What validated reweighting measures, and how it estimates. */
export interface ReweightOptions extends Omit<ReweightedToOptions, 'onStep'> {
  /** What to measure; by default all pairs of attributes with at most `mostPairCells` cells, and attributes in no such pair alone. */
  readonly workload?: Workload | undefined;
  /** Part of the session's budget to spend; by default all that remains. */
  readonly share?: Share | undefined;
}

/**
 * Each query's part of the budget: it grows with the cube root of its cells, between equal noise for all, which is best for a tiny
 * budget, and noise in proportion to what its cells add to the error (exponent 2/3), which is best for a large one.
 */
export const reweightParts = (domain: Domain, { queries }: Workload): number[] =>
  partsOver(declaredCells(domain), queries);

// What lies beyond open ends is seldom much, and their cells should not draw budget to small attributes.
const partsOver = (declared: Domain, queries: Workload['queries']): number[] =>
  queries.map(({ query, weight }) => weight * Math.cbrt(cellsOf(declared, attributesOf(query))));

/**
 * Validated reweighting: measures a workload of marginals at once and moves the weights of the public rows, and of rows drawn from a model
 * of them, towards the answers, as far as the noise can be told from the signal. Private because it only measures; all else is
 * post-processing. `widening` says how many rows are drawn and what they weigh: `{ lambda: 0 }` keeps to the public rows.
 *
 * @example
 * ```ts
 * const { model } = await reweight(session, supportOf(publicTable), { random: seeded(1) });
 * ```
 */
export const reweight = async (session: Session, prior: Support, options: ReweightOptions): Promise<Released> => {
  const { domain } = session;
  const workload = options.workload ?? pairsOrOneWays(domain);
  const queries = workload.queries.map(({ query }) => query);
  const share = options.share ?? session.remaining;
  const weights = reweightParts(domain, workload);
  if (session.preview(queries, share, { weights }).every(({ kind }) => kind === 'none'))
    throw new InputError('workload: must ask more than the number of records, which is public, got nothing else');
  const measurements = await session.measure(queries, share, { weights });
  return { measurements, ...(await reweightedTo(prior, measurements, { widening: {}, ...options })) };
};
