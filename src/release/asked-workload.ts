import type { Domain } from '../domain/domain.js';
import type { Support } from '../model/support/support.js';
import { checkWeightedRows } from '../model/support/weighted-rows.js';
import type { Session } from '../privacy/session/session.js';
import { attributesOf } from '../query/answer.js';
import { pairsOrOneWays } from '../query/workload/pairs-or-one-ways.js';
import type { Workload } from '../query/workload/workload.js';
import type { MechanismRun } from './mechanism.js';

/** What is known of what a release should answer well: the domain, and the workload where one was given. */
export interface Asked {
  readonly domain: Domain;
  readonly workload?: Workload | undefined;
}

export const askedOf = ({ domain }: Session, { workload }: MechanismRun): Asked => ({ domain, workload });

/** What was asked, or pairs of attributes of bounded size. */
export const askedOrPairs = ({ domain, workload }: Asked, maxCells: number): Workload =>
  workload ?? pairsOrOneWays(domain, maxCells);

/** The workload, once it is known that the kernels can hold it with the prior's rows: nothing may be spent before that. */
export const fitting = (workload: Workload, prior: Support): Workload => {
  checkWeightedRows(
    prior,
    workload.queries.map(({ query }) => attributesOf(query)),
  );
  return workload;
};
