import type { Domain } from '../domain/domain.js';
import type { Support } from '../model/support/support.js';
import { checkWeightedRows } from '../model/support/weighted-rows.js';
import type { Session } from '../privacy/session/session.js';
import { attributesOf } from '../query/answer.js';
import { householdWorkload } from '../query/workload/household-workload.js';
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

/**
 * What was asked of households and persons, or both queries of all sets of so many attributes (of all, where there are fewer), of bounded size. The number of persons
 * is among them where it is an attribute: nothing else would tell how large households are.
 */
export const askedOrHouseholds = (
  { domain, workload }: Asked,
  { attributes, maxCells }: { readonly attributes: number; readonly maxCells: number },
): Workload => {
  if (workload !== undefined) return workload;
  const within = domain.attributes.map(({ name }) => name);
  return householdWorkload(domain, { attributes: Math.min(attributes, within.length), maxCells, within });
};

/** The workload, once it is known that the kernels can hold it with the prior's rows: nothing may be spent before that. */
export const fitting = (workload: Workload, prior: Support): Workload => {
  checkWeightedRows(
    prior,
    workload.queries.map(({ query }) => attributesOf(query)),
  );
  return workload;
};
