import { declaredCells } from '../../domain/declared-cells.js';
import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { defaultIterations } from '../../estimate/reweight/fit-weights.js';
import { defaultProbes } from '../../estimate/stopping/risk-probes.js';
import { defaultDraws, recordsBehind } from '../../estimate/widen/widening.js';
import type { Support } from '../../model/support/support.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session, Share } from '../../privacy/session/session.js';
import { attributesOf } from '../../query/answer.js';
import { mostPairCells } from '../../query/workload/pairs-or-one-ways.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Released } from '../released.js';
import { type ReweightedToOptions, reweightedTo } from '../reweighted.js';
import { type Design, designFor, setsOf, totalPart } from './design.js';

/** What reweighting is told where nobody says otherwise. */
export const reweightDefaults = {
  degree: 3,
  maxCells: mostPairCells,
  iterations: defaultIterations,
  lambda: 'auto',
  draws: defaultDraws,
  probes: defaultProbes,
};

export type ReweightSettings = typeof reweightDefaults;

/** What validated reweighting measures, and how it estimates. */
export interface ReweightOptions extends Omit<ReweightedToOptions, 'onStep'> {
  /** What to measure, all at once; by default the number of records, and then attributes and pairs as far as they are worth it (`designFor`). */
  readonly workload?: Workload | undefined;
  /** Cells of a pair at most, where nothing is given to measure; `mostPairCells` by default. */
  readonly maxCells?: number | undefined;
  /** Attributes of what is measured at most, where nothing is given to measure: 3 by default, and 2 leaves out what only triples tell. */
  readonly degree?: number | undefined;
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
 * Validated reweighting: measures marginals of the private table and moves the weights of the public rows, and of rows drawn from a model
 * of them, towards the answers, as far as the noise can be told from the signal. Private because it only measures; all else is
 * post-processing. `widening` says how many rows are drawn and what they weigh: `{ lambda: 0 }` keeps to the public rows.
 *
 * @example
 * ```ts
 * const { model } = await reweight(session, supportOf(publicTable), { random: seeded(1) });
 * ```
 */
export const reweight = async (session: Session, prior: Support, options: ReweightOptions): Promise<Released> => {
  const { workload, maxCells, degree, share = session.remaining, ...rest } = options;
  const { measurements, ...measured } =
    workload === undefined
      ? await measureDesigned(session, prior, { share, maxCells, degree, publicRecords: options.widening?.records })
      : await measureAsked(session, workload, share);
  const { notes, ...fitted } = await reweightedTo(prior, measurements, { widening: {}, ...rest });
  return { measurements, ...fitted, notes: { ...notes, ...measured } };
};

interface Measured {
  readonly measurements: readonly Measurement[];
  /** What a release tells of it. */
  readonly measured?: Omit<Design, 'queries' | 'weights'>;
}

const nothingAsked = (): InputError =>
  new InputError('workload: must ask more than the number of records, which is public, got nothing else');

const measureAsked = async (session: Session, workload: Workload, share: Share): Promise<Measured> => {
  const queries = workload.queries.map(({ query }) => query);
  const weights = reweightParts(session.domain, workload);
  if (session.preview(queries, share, { weights }).every(({ kind }) => kind === 'none')) throw nothingAsked();
  return { measurements: await session.measure(queries, share, { weights }) };
};

/** The number of records first; then, with noise compared to so many, what is worth it. */
const measureDesigned = async (
  session: Session,
  prior: Support,
  options: {
    readonly share: Share;
    readonly maxCells?: number | undefined;
    readonly degree?: number | undefined;
    readonly publicRecords?: number | undefined;
  },
): Promise<Measured> => {
  const { degree = reweightDefaults.degree, maxCells = mostPairCells, publicRecords = recordsBehind(prior) } = options;
  if (setsOf(session.domain, maxCells).length === 0) throw nothingAsked();
  const end = session.remaining - Math.min(options.share, session.remaining);
  const total = await session.total(totalPart * (session.remaining - end));
  const share = session.remaining - end;
  // Noise may say that there are none: no fewer than it can tell.
  const records = Math.max(1, total.values[0], total.noise.scale);
  const { queries, weights, ...measured } = designFor(session, prior, {
    share,
    records,
    publicRecords,
    maxCells,
    degree,
  });
  return { measurements: [total, ...(await session.measure(queries, share, { weights }))], measured };
};
