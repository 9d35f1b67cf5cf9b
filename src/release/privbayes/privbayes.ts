import { estimateGraphical, type GraphicalOptions } from '../../estimate/graphical/estimate.js';
import { estimateNetwork } from '../../estimate/network/estimate-network.js';
import { estimateTotal } from '../../estimate/total/estimate-total.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session } from '../../privacy/session/session.js';
import type { Released } from '../released.js';
import { measureNetwork } from './measure-network.js';
import { type PrivbayesOptions, privbayesDefaults } from './options.js';

/**
 * PrivBayes (Zhang, Cormode, Procopiuc, Srivastava, Xiao 2017): chooses a Bayesian network by mutual information, measures its marginals, and
 * draws rows from it; or, with estimator `pgm`, fits a graphical model to the same marginals (Private-PGM, section 4). Private because
 * all it does to the table are the session's acts.
 *
 * @example
 * ```ts
 * const { model } = await privbayes(session, { estimator: 'pgm', random: seeded(1) });
 * ```
 */
export const privbayes = async (session: Session, options: PrivbayesOptions): Promise<Released> => {
  const { estimator = privbayesDefaults.estimator } = options;
  const modelBytes = options.modelBytes ?? (estimator === 'pgm' ? 1e6 * privbayesDefaults.modelMegabytes : undefined);
  const measured = await measureNetwork(session, { ...options, modelBytes });
  const { network, measurements, usefulCells } = measured;
  const { domain } = session;
  const notes = { estimator, network: network.map(({ of, on }) => ({ of, on: [...on] })), usefulCells };
  if (estimator === 'network') {
    const { random } = options;
    const model = estimateNetwork(domain, network, measurements, { random });
    return {
      model,
      measurements,
      notes: { ...notes, rows: model.support.length, total: model.total },
      refit: async (others, again) => estimateNetwork(domain, network, others, { random: again ?? random }),
    };
  }
  const graphical = (of: readonly Measurement[], until: GraphicalOptions['until']) => {
    const { onProgress: _, share: __, ...fitting } = options;
    const marginals = of.filter(({ query }) => query.kind !== 'marginal' || query.attributes.length > 0);
    // What was paid for must not be lost: a tree that came out larger than expected is fitted approximately.
    const room = { memory: 2 * modelBytes! + 1e9, approximate: true };
    return estimateGraphical(domain, marginals, { ...room, ...fitting, total: estimateTotal(of), until });
  };
  const { until = 'validated' } = options;
  const { model, chosen, total } = await graphical(measurements, until);
  const stop = until === 'validated' ? { chi: chosen.chi } : until;
  return {
    model,
    measurements,
    notes: { ...notes, total, until, chosen: { ...chosen } },
    refit: async (others) => (await graphical(others, stop)).model,
  };
};
