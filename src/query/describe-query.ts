import type { Block } from './block/block.js';
import type { Query } from './query.js';

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

const describeBlock = (attribute: string, block: Block): string => {
  switch (block.kind) {
    case 'keep':
    case 'sum':
      return attribute;
    case 'value':
      return `${attribute} in cell ${block.cell}`;
    case 'set':
      return `${attribute} in a set of ${plural(block.cells.length, 'cell')}`;
    case 'prefix':
      return `cumulative ${attribute}`;
    case 'ranges': {
      const [[low, high]] = block.ranges;
      return block.ranges.length === 1
        ? `${attribute} in cells ${low} to ${high}`
        : `${attribute} in ${block.ranges.length} ranges`;
    }
    case 'regroup':
      return `${attribute} in ${plural(block.size, 'group')}`;
    case 'mean':
      return `sum of ${attribute}`;
    case 'moments':
      return `first ${plural(block.count, 'moment')} of ${attribute}`;
  }
};

/** A short text for people, such as "region x cumulative age"; not unique (`queryKey` is). */
export const describeQuery = (query: Query): string => {
  const parts =
    query.kind === 'marginal'
      ? query.attributes
      : query.factors
          .filter(({ block }) => block.kind !== 'sum')
          .map(({ attribute, block }) => describeBlock(attribute, block));
  return parts.length === 0 ? 'total' : parts.join(' x ');
};
