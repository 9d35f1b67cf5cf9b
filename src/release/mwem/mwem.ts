import type { Session } from '../../privacy/session/session.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Released } from '../released.js';
import {
  type MultiplicativeWeightsOptions,
  privateMultiplicativeWeights,
} from '../rounds/private-multiplicative-weights.js';
import { uniformSupport } from './uniform-support.js';

/** How many rounds MWEM takes, and over how large a domain. */
export interface MwemOptions extends MultiplicativeWeightsOptions {
  /** The largest domain that is held whole, in cells; 2^22 by default. */
  readonly maxCells?: number | undefined;
}

/**
 * MWEM (Hardt, Ligett, McSherry 2012): private multiplicative weights on the whole domain, started at the uniform distribution.
 * Needs no public table, and a domain small enough to list: a larger one is refused before anything is spent.
 */
export const mwem = async (session: Session, workload: Workload, options: MwemOptions): Promise<Released> => {
  const support = uniformSupport(session.domain, options.maxCells);
  const released = await privateMultiplicativeWeights(session, support, workload, options);
  // The cells of a domain are no sample that could have come out otherwise.
  return { ...released, refit: (others) => released.refit!(others) };
};
