import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { ReweightEstimateOptions } from '../../estimate/reweight/fit-weights.js';
import { estimateReweightedHouseholds, followHouseholds } from '../../estimate/reweight/reweight-households.js';
import {
  checkHouseholdSupport,
  type HouseholdSupport,
  redrawHouseholds,
} from '../../model/households/household-support.js';
import { householdSupportModel } from '../../model/households/household-support-model.js';
import type { HouseholdModel } from '../../model/model.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session, Share } from '../../privacy/session/session.js';
import { householdPairs } from '../../query/workload/household-pairs.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Released } from '../released.js';
import { isNoisy } from '../reweighted.js';
import { measuredHouseholds } from './measured-households.js';

/** What validated reweighting of households measures, and how it estimates. */
export interface HReweightOptions extends Omit<ReweightEstimateOptions, 'total' | 'onStep'> {
  /** What to measure; by default `householdPairs`: all pairs of attributes of both levels. */
  readonly workload?: Workload | undefined;
  /** Part of the session's budget to spend; by default all that remains. */
  readonly share?: Share | undefined;
}

/**
 * Validated reweighting of public households: measures a workload of counts of households and of persons at once, and moves the weights of the public households towards the
 * answers, as far as the noise can be told from the signal. Every household of the release is one of the public ones with all its
 * persons. Private because it only measures; the fit is post-processing.
 */
export const hReweight = async (
  session: Session,
  prior: HouseholdSupport,
  options: HReweightOptions,
): Promise<Released<HouseholdModel>> => {
  const { domain } = session;
  checkSame(domain, prior.table.domain);
  checkHouseholdSupport(prior);
  const { free, paid, parts } = measuredHouseholds(session, options.workload ?? householdPairs(domain), prior);
  const share = options.share ?? session.remaining;
  const exact = free.length === 0 ? [] : await session.measure(free, share);
  const measurements = [...exact, ...(await session.measure(paid, share, { weights: parts }))];
  return { measurements, ...(await reweightedHouseholdsTo(prior, measurements, options)) };
};

/** Public households reweighted to all measurements, with what a release tells of it. */
export const reweightedHouseholdsTo = async (
  prior: HouseholdSupport,
  measurements: readonly Measurement[],
  options: Omit<ReweightEstimateOptions, 'total'>,
): Promise<Pick<Released<HouseholdModel>, 'model' | 'notes' | 'refit' | 'unmeasured'>> => {
  const exact = measurements.filter((one) => !isNoisy(one));
  const fitting = { ...options, total: publicHouseholds(exact, prior.table.domain) };
  const { support, total, chosen, trace, strides } = await estimateReweightedHouseholds(prior, measurements, fitting);
  return {
    model: householdSupportModel(support, total),
    notes: { steps: trace.length - 1, chosen: { ...chosen }, households: total, listed: prior.weights.length },
    unmeasured: 'public rows',
    refit: async (others, random) => {
      const start = random === undefined ? prior : redrawHouseholds(prior, random);
      const fitted = await followHouseholds(start, others, strides, fitting);
      return householdSupportModel(fitted.support, fitted.total);
    },
  };
};

/** The number of households that exact answers tell, where that is public: known, so nothing to fit. */
const publicHouseholds = (exact: readonly Measurement[], { households }: Domain): number | undefined => {
  const counted = exact.find(
    ({ query }) =>
      query.kind === 'holding' &&
      query.cell === undefined &&
      query.attributes.every((name) => households?.attributes.includes(name)),
  );
  return (
    counted &&
    Math.max(
      1,
      counted.values.reduce((sum, value) => sum + value, 0),
    )
  );
};

const shapeOf = ({ attributes, households }: Domain): string =>
  JSON.stringify([
    attributes.map(({ name, size }) => [name, size]),
    households && [households.attributes, households.maxSize, households.size],
  ]);

const checkSame = (own: Domain, others: Domain): void => {
  if (shapeOf(own) !== shapeOf(others))
    throw new InputError(
      'public households: must have the attributes, cells and largest household of the private ones, got others; read both with one schema',
    );
};
