import { InputError } from '../../domain/input-error.js';
import { cellsSeen } from '../../estimate/reweight/household-targets.js';
import type { HouseholdSupport } from '../../model/households/household-support.js';
import { checkSlicedHouseholds } from '../../model/households/sliced-households.js';
import type { Door } from '../../privacy/session/session.js';
import { answerSize } from '../../query/answer.js';
import { checkQuery } from '../../query/check-query.js';
import type { Query } from '../../query/query.js';
import type { Workload } from '../../query/workload/workload.js';

/** What is measured of a workload: what nobody's protection limits is free and exact, the rest gets parts of the budget. */
export interface MeasuredHouseholds {
  readonly free: readonly Query[];
  readonly paid: readonly Query[];
  /** The part of the budget of each that is paid for. */
  readonly parts: readonly number[];
}

/**
 * Divides a workload, once it is known that it fits the domain and that kernels can hold it with the public households: nothing may be spent before that. A
 * query's part grows with the cube root of its answers, as for rows: between equal noise for all, which is best for a tiny budget, and noise in
 * proportion to what its cells add to the error.
 */
export const measuredHouseholds = (
  door: Pick<Door, 'domain' | 'preview'>,
  { queries }: Workload,
  prior: Pick<HouseholdSupport, 'table'>,
): MeasuredHouseholds => {
  const { domain } = door;
  for (const { query } of queries) checkQuery(query, domain);
  checkSlicedHouseholds(
    prior,
    queries.map(({ query }) => cellsSeen(query)),
  );
  const free = queries.filter(({ query }) => door.preview([query], 1)[0].kind === 'none');
  const paid = queries.filter((one) => !free.includes(one));
  if (paid.length === 0)
    throw new InputError(
      'workload: must ask more than what is public, got nothing else; add a query about attributes that are protected',
    );
  return {
    free: free.map(({ query }) => query),
    paid: paid.map(({ query }) => query),
    parts: paid.map(({ query, weight }) => weight * Math.cbrt(answerSize(query, domain))),
  };
};
