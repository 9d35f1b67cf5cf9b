import type { ReweightEstimateOptions } from '../estimate/reweight/fit-weights.js';
import { followStrides } from '../estimate/reweight/follow-strides.js';
import { estimateReweighted } from '../estimate/reweight/reweight.js';
import { estimateTotal } from '../estimate/total/estimate-total.js';
import { redrawSupport } from '../model/support/redraw-weights.js';
import type { Support } from '../model/support/support.js';
import { supportModel } from '../model/support/support-model.js';
import type { Measurement } from '../privacy/measurement.js';
import type { Released } from './released.js';

export const isNoisy = ({ noise }: Measurement): boolean => noise.kind !== 'none';

/** The number of records that measurements without noise tell, where that is public: known, so nothing to fit. */
export const publicTotal = (measurements: readonly Measurement[], domain: Support['domain']): number | undefined => {
  const known = measurements.filter((one) => !isNoisy(one));
  return known.length === 0 ? undefined : estimateTotal(known, domain);
};

/** Public rows reweighted to all measurements with noise, with what a release tells of it. */
export const reweightedTo = async (
  prior: Support,
  measurements: readonly Measurement[],
  options: Omit<ReweightEstimateOptions, 'total'>,
): Promise<Pick<Released, 'model' | 'notes' | 'refit'>> => {
  const fitting = { ...options, total: publicTotal(measurements, prior.domain) };
  const noisy = measurements.filter(isNoisy);
  const { support, total, chosen, trace, strides } = await estimateReweighted(prior, noisy, fitting);
  return {
    model: supportModel(support, total),
    notes: { steps: trace.length - 1, chosen: { ...chosen } },
    refit: async (others, random) => {
      const start = random === undefined ? prior : redrawSupport(prior, random);
      const fitted = await followStrides(start, others.filter(isNoisy), strides, fitting);
      return supportModel(fitted.support, fitted.total);
    },
  };
};
