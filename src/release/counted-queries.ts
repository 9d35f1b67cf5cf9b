import type { Domain } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { checkQuery } from '../query/check-query.js';
import { describeQuery } from '../query/describe-query.js';
import type { Counted } from '../query/holding.js';
import type { Workload } from '../query/workload/workload.js';

/** The queries of a workload for a mechanism that counts persons and households in all cells; another query is refused with the next step. */
export const countedQueries = ({ queries }: Workload, domain: Domain, mechanism: string): Counted[] => {
  if (queries.length === 0) throw new InputError('workload: must have at least one query, got none');
  return queries.map(({ query }) => {
    if (
      (query.kind !== 'marginal' && query.kind !== 'holding') ||
      (query.kind === 'holding' && query.cell !== undefined)
    )
      throw new InputError(
        `workload: must be marginals and counts of households in all cells for ${mechanism}, got ${describeQuery(query)}; ask for the marginal, or for all cells`,
      );
    checkQuery(query, domain);
    return query;
  });
};
