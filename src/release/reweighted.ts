import type { ReweightEstimateOptions } from '../estimate/reweight/fit-weights.js';
import { followStrides } from '../estimate/reweight/follow-strides.js';
import { estimateReweighted } from '../estimate/reweight/reweight.js';
import { estimateTotal } from '../estimate/total/estimate-total.js';
import { openWidening, type WideningOptions } from '../estimate/widen/open-widening.js';
import type { Support } from '../model/support/support.js';
import { supportModel } from '../model/support/support-model.js';
import { trimmed } from '../model/support/trimmed.js';
import type { Measurement } from '../privacy/measurement.js';
import type { Released } from './released.js';

export const isNoisy = ({ noise }: Measurement): boolean => noise.kind !== 'none';

/** The number of records that measurements without noise tell, where that is public: known, so nothing to fit. */
export const publicTotal = (measurements: readonly Measurement[], domain: Support['domain']): number | undefined => {
  const known = measurements.filter((one) => !isNoisy(one));
  return known.length === 0 ? undefined : estimateTotal(known, domain);
};

/** How public rows are reweighted, and what they are widened by; by nothing unless told. */
export interface ReweightedToOptions extends Omit<ReweightEstimateOptions, 'total'>, WideningOptions {}

/** A first fit that moves less than this from the prior, in nats, needs no rows elsewhere. */
const leastMove = 0.1;
/** Weight that rows may have together to be left out of the result. */
const negligible = 1e-6;

/**
 * Public rows, and rows beside them, reweighted to all measurements with noise, with what a release tells of it. Where a first fit moves away
 * from the prior, rows are drawn where it went and the fit starts again from the same prior on all of them.
 */
export const reweightedTo = async (
  prior: Support,
  measurements: readonly Measurement[],
  { widening, ...options }: ReweightedToOptions,
): Promise<Pick<Released, 'model' | 'notes' | 'refit' | 'unmeasured'>> => {
  const fitting = { ...options, total: publicTotal(measurements, prior.domain) };
  const noisy = measurements.filter(isNoisy);
  const opened = await openWidening(prior, noisy, { ...fitting, widening });
  let { wide } = opened;
  let fitted = await estimateReweighted(wide.support, noisy, fitting);
  if (opened.later > 0 && fitted.chosen.divergence > leastMove) {
    wide = wide.towards(fitted.support, opened.later, fitting.random);
    fitted = await estimateReweighted(wide.support, noisy, fitting);
  }
  const { total, chosen, trace, strides } = fitted;
  return {
    model: supportModel(trimmed(fitted.support, prior.seen?.rows ?? prior.length, negligible), total),
    notes: { steps: trace.length - 1, chosen: { ...chosen }, ...opened.notes },
    unmeasured: 'public rows',
    refit: async (others, random) => {
      const start = random === undefined ? wide.support : wide.again(random);
      const again = await followStrides(start, others.filter(isNoisy), strides, fitting);
      return supportModel(again.support, again.total);
    },
  };
};
