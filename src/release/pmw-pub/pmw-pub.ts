import type { Table } from '../../domain/table.js';
import { type Support, supportOf } from '../../model/support/support.js';
import type { Session } from '../../privacy/session/session.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Released } from '../released.js';
import {
  type MultiplicativeWeightsOptions,
  privateMultiplicativeWeights,
} from '../rounds/private-multiplicative-weights.js';

/**
 * PMW-Pub (Liu, Vietri, Steinke, Ullman, Wu 2021, Algorithm 1): private multiplicative weights on the support of a public table,
 * started at the public table's distribution. Its error on the workload's cells is at most about twice the support's best
 * mixture error plus a term that falls with n epsilon (Theorem 2.2); its privacy is that of its 2 T + 1 session calls. `prior` is the
 * public table, or a distribution over its rows.
 *
 * @example
 * ```ts
 * const { model } = await pmwPub(session, prior, workload, { rounds: 5, random: seeded(1) });
 * ```
 */
export const pmwPub = async (
  session: Session,
  prior: Support | Table,
  workload: Workload,
  options: MultiplicativeWeightsOptions,
): Promise<Released> => ({
  ...(await privateMultiplicativeWeights(session, 'weights' in prior ? prior : supportOf(prior), workload, options)),
  unmeasured: 'public rows',
});
