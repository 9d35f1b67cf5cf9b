import { plural } from '../domain/plural.js';
import { kindOf } from './block/block-kinds.js';
import type { Query } from './query.js';

/** A short text for people, such as "region x cumulative age"; not unique (`queryKey` is). */
export const describeQuery = (query: Query): string => {
  if (query.kind === 'holding') {
    const cell = query.cell === undefined ? '' : `, cell ${query.cell}`;
    return query.attributes.length === 0 ? 'households' : `households with ${query.attributes.join(' x ')}${cell}`;
  }
  if (query.kind === 'dense')
    return `${plural(query.rows.length, 'linear combination')} of ${query.attributes.join(' x ') || 'the total'}`;
  const parts =
    query.kind === 'marginal'
      ? query.attributes
      : query.factors
          .filter(({ block }) => block.kind !== 'sum')
          .map(({ attribute, block }) => kindOf(block).words(attribute, block));
  return parts.length === 0 ? 'total' : parts.join(' x ');
};
