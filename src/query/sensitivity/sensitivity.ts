import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { attributesOf } from '../answer.js';
import type { LinearQuery, Query } from '../query.js';
import type { Relation } from '../relation.js';
import type { Unit } from '../unit.js';
import { holdingSensitivity } from './holding-sensitivity.js';
import { larger } from './larger.js';
import { personReach } from './person-reach.js';
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
 * Sensitivity of one query; a number D stands for a unit that contributes at most D rows.
 * - add-remove: D times the largest column.
 * - replace-one, D = 1: every unit is one row, so the largest difference of two columns. Zero for the total: it is public.
 * - replace-one, D > 1: a unit may have any number of rows from 0 to D, so D times the larger of both.
 * - a household has 0 to D rows too, D = 1 or not: it may have been left out for its size.
 * - a person changes within the household: the largest difference of two columns with the same household.
 */
export const sensitivity = (query: Query, domain: Domain, relation: Relation, whose: Unit | number): Sensitivity => {
  const unit = unitFrom(whose);
  return query.kind === 'holding'
    ? ofSize(holdingSensitivity(query, domain, relation, unit), true)
    : fromReach(reachBy(query, domain, unit), relation, unit, !countsSizes(query, domain, unit));
};

/**
 * Sensitivity of the answers of several queries measured together: L1 and squared L2 add up, the largest change is that
 * of the worst query. For queries that are not all marginals the sums are upper bounds: one row need not be the worst
 * for all of them at once. An empty batch has sensitivity zero.
 */
export const batchSensitivity = (
  queries: readonly Query[],
  domain: Domain,
  relation: Relation,
  whose: Unit | number,
): Sensitivity => {
  const unit = unitFrom(whose);
  const reaches = queries.flatMap((query) => (query.kind === 'holding' ? [] : [reachBy(query, domain, unit)]));
  const holdings = queries.flatMap((query) =>
    query.kind === 'holding' ? [holdingSensitivity(query, domain, relation, unit)] : [],
  );
  const together: Reach = {
    column: sum(reaches.map(({ column }) => column)),
    pair: sum(reaches.map(({ pair }) => pair)),
    exact: reaches.every(({ exact }) => exact),
  };
  const found = sizeFrom(together, relation, unit);
  const attained =
    (queries.length < 2 || queries.every(({ kind }) => kind === 'marginal')) &&
    !queries.some((query) => countsSizes(query, domain, unit));
  return ofSize(sum([found, ...holdings]), attained && isExact(together, relation));
};

/** A unit of so many rows: which column says whose they are does not matter here. */
const unitFrom = (whose: Unit | number): Unit => {
  const unit: Unit = typeof whose === 'number' ? { kind: 'id', column: '', maxRecords: whose } : whose;
  if (!Number.isSafeInteger(unit.maxRecords) || unit.maxRecords < 1)
    throw new InputError(`maxRecords: must be a positive integer, got ${unit.maxRecords}`);
  return unit;
};

const reachBy = (query: LinearQuery, domain: Domain, unit: Unit): Reach =>
  unit.kind === 'person' ? personReach(query, domain) : reachOf(query, domain);

/** Whether a query looks at how many persons a household has, which its rows say: then not all sums of rows are households. */
const countsSizes = (query: Query, { households }: Domain, { kind }: Unit): boolean =>
  kind === 'household' &&
  query.kind !== 'holding' &&
  households?.size !== undefined &&
  attributesOf(query).includes(households.size);

const sum = (sizes: readonly Size[]): Size => ({
  l1: sizes.reduce((total, { l1 }) => total + l1, 0n),
  l2Squared: sizes.reduce((total, { l2Squared }) => total + l2Squared, 0n),
  lInf: sizes.reduce((most, { lInf }) => larger(most, lInf), 0n),
});

const sizeFrom = ({ column, pair }: Reach, relation: Relation, { kind, maxRecords }: Unit): Size => {
  const records = BigInt(maxRecords);
  const size: Size =
    relation === 'add-remove'
      ? column
      : maxRecords === 1 && kind !== 'household'
        ? pair
        : {
            l1: larger(column.l1, pair.l1),
            l2Squared: larger(column.l2Squared, pair.l2Squared),
            lInf: larger(column.lInf, pair.lInf),
          };
  return { l1: records * size.l1, l2Squared: records * records * size.l2Squared, lInf: records * size.lInf };
};

const isExact = ({ exact }: Reach, relation: Relation): boolean => exact || relation === 'add-remove';

const fromReach = (reach: Reach, relation: Relation, unit: Unit, attained: boolean): Sensitivity =>
  ofSize(sizeFrom(reach, relation, unit), attained && isExact(reach, relation));

const ofSize = ({ l1, l2Squared, lInf }: Size, exact: boolean): Sensitivity => ({
  l1: safe(l1),
  l2Squared,
  lInf: safe(lInf),
  exact,
});

const safe = (size: bigint): number => {
  if (size > BigInt(Number.MAX_SAFE_INTEGER))
    throw new InputError(
      `query: its sensitivity must be below 2^53, got ${size}; use fewer moments, coarser cells or a smaller maxRecords`,
    );
  return Number(size);
};
