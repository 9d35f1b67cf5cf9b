import { upTo } from '../along-axis.js';
import type { BlockOf } from '../block.js';
import type { BlockKind } from '../block-kind.js';
import { countCells } from './count-cells.js';

/** 1: all cells together. */
export const sum: BlockKind<BlockOf<'sum'>> = {
  fields: {},
  check: () => {},
  ...countCells<BlockOf<'sum'>>((_, size) => upTo(size)),
  words: (attribute) => attribute,
  key: () => 'sum',
};
