import { estimateNetwork } from '../../estimate/network/estimate-network.js';
import { estimateTotal } from '../../estimate/total/estimate-total.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Session } from '../../privacy/session/session.js';
import { toldOfFit } from '../as-fitted.js';
import { fittedGraphically } from '../fitted-graphically.js';
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
  const { share: _, onProgress: __, until = 'validated', ...fitting } = options;
  // What was paid for must not be lost: a tree that came out larger than expected is fitted approximately.
  const room = { memory: 2 * modelBytes! + 1e9, approximate: true };
  const used = (all: readonly Measurement[]) => ({
    measurements: all.filter(({ query }) => query.kind !== 'marginal' || query.attributes.length > 0),
    total: estimateTotal(all),
  });
  const fit = await fittedGraphically(domain, measurements, { ...room, ...fitting, until, compares: true }, used);
  const { model, total, refit, refitsAnywhere } = fit;
  return { model, measurements, notes: { ...notes, total, until, chosen: toldOfFit(fit) }, refit, refitsAnywhere };
};
