import type { Domain } from '../domain/domain.js';
import type { Query } from './query.js';
import type { Relation } from './relation.js';

/** How far the answers of a query on counts can move between neighbours: exact integers, never rounded. */
export interface Sensitivity {
  /** Largest L1 distance: sum of absolute changes of the answers. A safe integer. */
  readonly l1: number;
  /** Largest squared L2 distance. */
  readonly l2Squared: bigint;
  /** Largest change of any one answer. A safe integer. */
  readonly lInf: number;
  /** Whether some pair of neighbours attains each of the three; otherwise they are upper bounds. */
  readonly exact: boolean;
}

export declare const sensitivity: (query: Query, domain: Domain, relation: Relation, maxRecords: number) => Sensitivity;
export declare const batchSensitivity: (
  queries: readonly Query[],
  domain: Domain,
  relation: Relation,
  maxRecords: number,
) => Sensitivity;
