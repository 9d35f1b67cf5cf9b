import type { Block } from './block.js';

/** Number of rows of a block's matrix over an attribute of `size` cells: its answers for each combination of the others. */
export const blockRows = (block: Block, size: number): number => {
  switch (block.kind) {
    case 'keep':
    case 'prefix':
      return size;
    case 'sum':
    case 'value':
    case 'set':
    case 'mean':
      return 1;
    case 'ranges':
      return block.ranges.length;
    case 'regroup':
      return block.size;
    case 'moments':
      return block.count;
  }
};
