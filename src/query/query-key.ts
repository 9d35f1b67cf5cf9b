import type { Block } from './block/block.js';
import type { Query } from './query.js';

const blockKey = (block: Block): string => {
  switch (block.kind) {
    case 'keep':
    case 'sum':
    case 'prefix':
    case 'mean':
      return block.kind;
    case 'value':
      return `set(${block.cell})`;
    case 'set':
      return `set(${[...block.cells].sort((a, b) => a - b).join(',')})`;
    case 'ranges':
      return `ranges(${block.ranges.map(([low, high]) => `${low}-${high}`).join(',')})`;
    case 'regroup':
      return `regroup(${block.groups.join(',')};${block.size})`;
    case 'moments':
      return `moments(${block.count})`;
  }
};

/**
 * A stable text that two queries share when they have the same answers in the same order by the same blocks: a marginal and
 * its factored form do, a factor that sums out counts for nothing. Attribute names are quoted as in JSON, so keys never
 * collide. Made for caches and the ledger; `describeQuery` is for people.
 */
export const queryKey = (query: Query): string => {
  const parts =
    query.kind === 'marginal'
      ? query.attributes.map((attribute) => JSON.stringify(attribute))
      : query.factors
          .filter(({ block }) => block.kind !== 'sum')
          .map(({ attribute, block }) =>
            block.kind === 'keep' ? JSON.stringify(attribute) : `${JSON.stringify(attribute)}:${blockKey(block)}`,
          );
  return parts.length === 0 ? 'total' : parts.join('*');
};
