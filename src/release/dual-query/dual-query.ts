import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { binaryQueries } from '../../estimate/dual-query/binary-queries.js';
import { type DualQueryEstimateOptions, estimateDualQuery } from '../../estimate/dual-query/estimate.js';
import { dualQueryRecords } from '../../estimate/dual-query/records.js';
import { distinctCliques } from '../../estimate/graphical/targets.js';
import { openOracle } from '../../model/graphical/oracle/oracle.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Session } from '../../privacy/session/session.js';
import { attributesOf } from '../../query/answer.js';
import type { Released } from '../released.js';
import { type DualQueryPlayOptions, defaultRestarts, defaultTimeLimit, playDualQuery } from './play.js';

/** DualQuery's rounds, and what is made of them. */
export interface DualQueryOptions extends DualQueryPlayOptions, DualQueryEstimateOptions {
  /**
   * The records of the rounds (`records`: DualQuery itself), or a graphical model under which what was drawn is most likely
   * (`pgm`, the default: Private-PGM's DualQuery+PGM).
   */
  readonly estimator?: 'records' | 'pgm' | undefined;
}

/** Refuses a workload whose model cannot be held: before anything is spent. */
const checkModel = async (domain: Domain, { workload, memory, approximate }: DualQueryOptions): Promise<void> => {
  const { queries } = binaryQueries(
    domain,
    workload.queries.map(({ query }) => query),
  );
  try {
    (await openOracle(domain, distinctCliques(queries.map(attributesOf)), { threads: 1, memory, approximate })).close();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${error.message}; or use the estimator records`);
  }
};

/**
 * DualQuery (Gaboardi et al. 2014), alone or with a graphical model (Private-PGM, section 4, Algorithms 4 and 5). Private because all
 * it does to the table are the session's acts, the number of records where that is private and one act of draws a round; records and model
 * are post-processing.
 *
 * @example
 * ```ts
 * const { model } = await dualQuery(session, { workload, random: seeded(1), estimator: 'pgm' });
 * ```
 */
export const dualQuery = async (session: Session, options: DualQueryOptions): Promise<Released> => {
  const { domain } = session;
  const { estimator = 'pgm', search = 'coordinate', until = 'validated' } = options;
  if (estimator === 'pgm') await checkModel(domain, options);
  const { game, parameters, measurements, unproved } = await playDualQuery(session, options);
  const found =
    search === 'coordinate'
      ? { search, restarts: options.restarts ?? defaultRestarts }
      : { search, timeLimit: options.timeLimit ?? defaultTimeLimit, unproved };
  const notes = { estimator, ...parameters, ...found, total: game.total };
  if (estimator === 'records')
    return { model: supportModel(dualQueryRecords(domain, game), game.total), measurements, notes };
  const { model, chosen } = await estimateDualQuery(domain, game, options);
  return { model, measurements, notes: { ...notes, until, iterations: chosen.iteration, loss: chosen.loss } };
};
