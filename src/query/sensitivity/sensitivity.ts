import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Query } from '../query.js';
import type { Relation } from '../relation.js';
import { larger } from './larger.js';
import { type Reach, reachOf, type Size } from './reach.js';

/**
 * How far the answers on counts can move between two neighbouring tables: integers, never rounded. Proved in
 * docs/queries.md; test/sensitivity.test.ts compares with all neighbours of tiny tables.
 */
export interface Sensitivity {
  /** Largest L1 distance: the sum of absolute changes of the answers. A safe integer. */
  readonly l1: number;
  /** Largest squared L2 distance. */
  readonly l2Squared: bigint;
  /** Largest change of any one answer. A safe integer. */
  readonly lInf: number;
  /** Whether neighbours attain all three; otherwise they are upper bounds, just as safe and a little larger than need be. */
  readonly exact: boolean;
}

/**
 * Sensitivity of one query when a unit contributes at most `maxRecords` rows (D).
 * - add-remove: D times the largest column.
 * - replace-one, D = 1: every unit is one row, so the largest difference of two columns. Zero for the total: it is public.
 * - replace-one, D > 1: a unit may have any number of rows from 0 to D, so D times the larger of both.
 */
export const sensitivity = (query: Query, domain: Domain, relation: Relation, maxRecords: number): Sensitivity =>
  fromReach(reachOf(query, domain), relation, maxRecords);

/**
 * Sensitivity of the answers of several queries measured together: L1 and squared L2 add up, the largest change is that
 * of the worst query. For queries that are not all marginals the sums are upper bounds: one row need not be the worst
 * for all of them at once. An empty batch has sensitivity zero.
 */
export const batchSensitivity = (
  queries: readonly Query[],
  domain: Domain,
  relation: Relation,
  maxRecords: number,
): Sensitivity => {
  const reaches = queries.map((query) => reachOf(query, domain));
  const together: Reach = {
    column: sum(reaches.map(({ column }) => column)),
    pair: sum(reaches.map(({ pair }) => pair)),
    exact: reaches.every(({ exact }) => exact),
  };
  const found = fromReach(together, relation, maxRecords);
  const attained = queries.length < 2 || queries.every(({ kind }) => kind === 'marginal');
  return { ...found, exact: attained && found.exact };
};

const sum = (sizes: readonly Size[]): Size => ({
  l1: sizes.reduce((total, { l1 }) => total + l1, 0n),
  l2Squared: sizes.reduce((total, { l2Squared }) => total + l2Squared, 0n),
  lInf: sizes.reduce((most, { lInf }) => larger(most, lInf), 0n),
});

const fromReach = ({ column, pair, exact }: Reach, relation: Relation, maxRecords: number): Sensitivity => {
  if (!Number.isSafeInteger(maxRecords) || maxRecords < 1)
    throw new InputError(`maxRecords: must be a positive integer, got ${maxRecords}`);
  const records = BigInt(maxRecords);
  const size: Size =
    relation === 'add-remove'
      ? column
      : maxRecords === 1
        ? pair
        : {
            l1: larger(column.l1, pair.l1),
            l2Squared: larger(column.l2Squared, pair.l2Squared),
            lInf: larger(column.lInf, pair.lInf),
          };
  return {
    l1: safe(records * size.l1),
    l2Squared: records * records * size.l2Squared,
    lInf: safe(records * size.lInf),
    exact: exact || relation === 'add-remove',
  };
};

const safe = (size: bigint): number => {
  if (size > BigInt(Number.MAX_SAFE_INTEGER))
    throw new InputError(
      `query: its sensitivity must be below 2^53, got ${size}; use fewer moments, coarser cells or a smaller maxRecords`,
    );
  return Number(size);
};
