import type { Domain } from '../../domain/domain.js';
import { kindOf } from '../../query/block/block-kinds.js';
import { factorsOf } from '../../query/factors.js';
import type { Query } from '../../query/query.js';

/** An attribute that must be in one of some cells. */
export interface Condition {
  readonly attribute: string;
  readonly cells: readonly number[];
}

/**
 * The query without the attributes of which it asks for one set of cells only, and these as conditions: independent variables meet them one by one, and
 * their marginal need not be made.
 */
export const withoutConditions = (
  query: Query,
  domain: Domain,
): { readonly rest: Query; readonly conditions: readonly Condition[] } => {
  const factors = factorsOf(query, domain).map((factor) => ({
    ...factor,
    cells: kindOf(factor.block).cells?.(factor.block),
  }));
  const conditions = factors.flatMap(({ attributes: [attribute], cells }) =>
    cells === undefined ? [] : [{ attribute, cells }],
  );
  if (conditions.length === 0) return { rest: query, conditions };
  const others = factors
    .filter(({ cells }) => cells === undefined)
    .map(({ attributes: [attribute], block }) => ({ attribute, block }));
  return { rest: { kind: 'factored', factors: others }, conditions };
};
