import { InputError } from '../domain/input-error.js';
import { attributesOf } from '../query/answer.js';
import { describeQuery } from '../query/describe-query.js';
import type { Marginal } from '../query/marginal.js';
import type { Workload } from '../query/workload/workload.js';

/** The queries of a workload for a mechanism that takes marginals only; another query is refused with the next step. */
export const marginalsOf = ({ queries }: Workload, mechanism = 'multiplicative weights'): Marginal[] =>
  queries.map(({ query }) => {
    if (query.kind !== 'marginal')
      throw new InputError(
        `workload: must be marginals for ${mechanism}, got ${describeQuery(query)}; ask for the marginal of ${attributesOf(query).join(' x ')} instead, or use a mechanism that measures such a query`,
      );
    return query;
  });

/** A workload that a person gave to such a mechanism, without the total: that has no cells to choose from or to fit. */
export const givenMarginals = (workload: Workload, mechanism: string): Workload => {
  const marginals = marginalsOf(workload, mechanism);
  const queries = workload.queries.filter((_, i) => marginals[i].attributes.length > 0);
  if (queries.length === 0)
    throw new InputError(
      `workload: must have a marginal of some attribute for ${mechanism}, got the total alone; add one`,
    );
  return { queries };
};
