import type { WideningOptions } from '../../estimate/widen/open-widening.js';
import { lambdaOf } from '../../estimate/widen/widening.js';
import type { Support } from '../../model/support/support.js';
import { heldRows } from '../../model/support/weighted-rows.js';
import { attributesOf } from '../../query/answer.js';
import type { Workload } from '../../query/workload/workload.js';
import { type Asked, askedOrPairs, fitting } from '../asked-workload.js';
import type { ReweightSettings } from './reweight.js';

/** Drawn rows in marginals at most: what bounds the time of a fit with many marginals. */
const mostWork = 12e6;

/** What is measured, and how many rows may be drawn beside the public ones. */
export interface Width {
  readonly workload: Workload;
  readonly widening: NonNullable<WideningOptions['widening']>;
}

/**
 * The workload, once it is known that the kernels can hold it with the public rows, and as many drawn rows as they can hold beside them: nothing
 * may be spent before that. A wrong setting is refused.
 */
export const widthFor = (
  asked: Asked,
  prior: Support,
  { maxCells, lambda: setting, draws }: Pick<ReweightSettings, 'maxCells' | 'lambda' | 'draws'>,
): Width => {
  const lambda = lambdaOf(setting);
  const workload = fitting(askedOrPairs(asked, maxCells), prior);
  const marginals = workload.queries.map(({ query }) => attributesOf(query));
  const room = heldRows(prior.domain, marginals) - prior.length;
  const most = Math.floor(Math.min(draws, mostWork / marginals.length, room / 2));
  return { workload, widening: { lambda: most > 0 ? lambda : 0, draws: Math.max(0, most) } };
};
