import type { Domain } from '../domain/domain.js';
import { estimateGraphical, type GraphicalEstimate, type GraphicalOptions } from '../estimate/graphical/estimate.js';
import type { Measurement } from '../privacy/measurement.js';
import { asFitted, toldOfFit } from './as-fitted.js';
import type { Released } from './released.js';
import { isNoisy, publicTotal } from './reweighted.js';

/** What a fit takes of all measurements, and the number of records that they tell, if it is not fitted. */
interface Used {
  readonly measurements: readonly Measurement[];
  readonly total?: number | undefined;
}

export interface FittedOptions extends GraphicalOptions {
  /**
   * Whether the fit is made without sharing its steps among neighbours as well, and the one of less estimated risk taken: for marginals that were measured without a look at whether they tell
   * anything. What attributes share by themselves amplifies noise in large ones that do not.
   */
  readonly compares?: boolean | undefined;
}

/**
 * A graphical model of measurements, and how it is fitted to other answers of the same queries: where the first fit was stopped by validation,
 * the others go on until they are as close to theirs.
 */
export const fittedGraphically = async (
  domain: Domain,
  measurements: readonly Measurement[],
  { until = 'validated', onProgress, onStep, compares = false, ...fitting }: FittedOptions,
  used: (all: readonly Measurement[]) => Used = (all) => ({ measurements: all, total: fitting.total }),
): Promise<GraphicalEstimate & Required<Pick<Released, 'refit' | 'refitsAnywhere'>>> => {
  const estimate = (all: readonly Measurement[], how: GraphicalOptions): Promise<GraphicalEstimate> => {
    const { measurements: own, total } = used(all);
    return estimateGraphical(domain, own, { ...fitting, total, ...how });
  };
  const shared = await estimate(measurements, { until, onProgress, onStep });
  const isOpen = compares && shared.sharing !== undefined && shared.sharing.size > 0;
  const plain = isOpen ? await estimate(measurements, { until, onProgress, onStep, sharing: new Map() }) : shared;
  const first = plain.chosen.risk < shared.chosen.risk ? plain : shared;
  const how = asFitted(first, until);
  return {
    ...first,
    refit: async (others, _, where) => (await estimate(others, { ...how, even: true, quick: true, ...where })).model,
    refitsAnywhere: true,
  };
};

/** A graphical model of all measurements with noise, with what a release tells of it. */
export const graphicallyTo = async (
  domain: Domain,
  measurements: readonly Measurement[],
  options: Omit<GraphicalOptions, 'total' | 'start'>,
): Promise<Pick<Released, 'model' | 'notes' | 'refit' | 'refitsAnywhere'>> => {
  const used = (all: readonly Measurement[]): Used => ({
    measurements: all.filter(isNoisy),
    total: publicTotal(all, domain),
  });
  const fit = await fittedGraphically(domain, measurements, { ...options, compares: true }, used);
  const { model, trace, refit, refitsAnywhere } = fit;
  return { model, notes: { steps: trace.length - 1, chosen: toldOfFit(fit) }, refit, refitsAnywhere };
};
