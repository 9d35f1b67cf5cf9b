import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { answerSize } from '../answer.js';
import type { Query } from '../query.js';
import { queryKey } from '../query-key.js';
import type { Relation } from '../relation.js';
import { batchSensitivity, type Sensitivity } from '../sensitivity/sensitivity.js';
import type { Unit } from '../unit.js';

/** The queries a release should answer well; a query's errors count by its weight. */
export interface Workload {
  readonly queries: readonly WeightedQuery[];
}

/** A query and how much its error counts. */
export interface WeightedQuery {
  readonly query: Query;
  /** Positive and finite. */
  readonly weight: number;
}

/** Queries of equal weight 1. */
export const workloadOf = (queries: readonly Query[]): Workload => ({
  queries: queries.map((query) => ({ query, weight: 1 })),
});

/** Number of answers of all queries together. */
export const workloadCells = ({ queries }: Workload, domain: Domain): number =>
  queries.reduce((cells, { query }) => cells + answerSize(query, domain), 0);

/** Sensitivity of all queries measured once each, together; weights do not enter. */
export const workloadSensitivity = (
  { queries }: Workload,
  domain: Domain,
  relation: Relation,
  whose: Unit | number,
): Sensitivity =>
  batchSensitivity(
    queries.map(({ query }) => query),
    domain,
    relation,
    whose,
  );

/** All queries of some workloads in order of first appearance; the weights of equal queries (by `queryKey`) add up. */
export const union = (...workloads: readonly Workload[]): Workload => {
  const merged = new Map<string, WeightedQuery>();
  for (const { query, weight } of workloads.flatMap(({ queries }) => queries)) {
    const key = queryKey(query);
    const known = merged.get(key);
    merged.set(key, known === undefined ? { query, weight } : { query: known.query, weight: known.weight + weight });
  }
  return { queries: [...merged.values()] };
};

/** The workload itself, or a refusal that says how many cells it has. */
export const limitCells = (workload: Workload, domain: Domain, maxTotalCells: number): Workload => {
  const cells = workloadCells(workload, domain);
  if (cells > maxTotalCells)
    throw new InputError(
      `workload: its ${workload.queries.length} queries may have ${maxTotalCells} cells together, got ${cells}; ` +
        'choose fewer or smaller queries, or raise maxTotalCells',
    );
  return workload;
};
