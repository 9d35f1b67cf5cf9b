import type { WideningOptions } from '../../estimate/widen/open-widening.js';
import { drawsBeside, lambdaOf } from '../../estimate/widen/widening.js';
import { checkJointRows } from '../../model/support/joint-rows.js';
import type { Support } from '../../model/support/support.js';
import { attributesOf } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Asked } from '../asked-workload.js';
import { setsOf } from './design.js';
import type { ReweightSettings } from './reweight.js';

/** What is measured, where that is known, and how many rows may be drawn beside the public ones. */
export interface Width {
  readonly workload?: Workload | undefined;
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
  const { workload, domain } = asked;
  const queries =
    workload === undefined
      ? setsOf(domain, maxCells).map((set) => marginal(...set))
      : workload.queries.map(({ query }) => query);
  checkJointRows(prior, queries.map(attributesOf));
  const most = drawsBeside(prior, queries, draws);
  return { workload, widening: { lambda: most > 0 ? lambda : 0, draws: most } };
};
