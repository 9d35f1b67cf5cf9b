import { kindOf } from './block/block-kinds.js';
import type { Query } from './query.js';

/** A short text for people, such as "region x cumulative age"; not unique (`queryKey` is). */
export const describeQuery = (query: Query): string => {
  const parts =
    query.kind === 'marginal'
      ? query.attributes
      : query.factors
          .filter(({ block }) => block.kind !== 'sum')
          .map(({ attribute, block }) => kindOf(block).words(attribute, block));
  return parts.length === 0 ? 'total' : parts.join(' x ');
};
