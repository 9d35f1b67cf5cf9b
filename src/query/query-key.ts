import { kindOf } from './block/block-kinds.js';
import type { Query } from './query.js';

/**
 * A stable text that two queries share when they have the same answers in the same order by the same blocks: a marginal and
 * its factored form do, a factor that sums out counts for nothing. Attribute names are quoted as in JSON, so keys never
 * collide. Made for caches and the ledger; `describeQuery` is for people.
 */
export const queryKey = (query: Query): string => {
  if (query.kind === 'holding')
    return `households ${JSON.stringify(query.attributes)}${query.cell === undefined ? '' : `:${query.cell}`}`;
  if (query.kind === 'dense') {
    const block = { kind: 'matrix', rows: query.rows } as const;
    return `${JSON.stringify(query.attributes)}:${kindOf(block).key(block)}`;
  }
  const parts =
    query.kind === 'marginal'
      ? query.attributes.map((attribute) => JSON.stringify(attribute))
      : query.factors
          .filter(({ block }) => block.kind !== 'sum')
          .map(({ attribute, block }) => {
            const key = kindOf(block).key(block);
            return key === '' ? JSON.stringify(attribute) : `${JSON.stringify(attribute)}:${key}`;
          });
  return parts.length === 0 ? 'total' : parts.join('*');
};
