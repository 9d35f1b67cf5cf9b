import { upTo } from '../along-axis.js';
import type { BlockOf } from '../block.js';
import type { BlockKind } from '../block-kind.js';
import { groupCells } from './group-cells.js';

/** I: every cell is its own group. */
export const keep: BlockKind<BlockOf<'keep'>> = {
  fields: {},
  check: () => {},
  ...groupCells<BlockOf<'keep'>>(
    (_, size) => size,
    (_, size) => upTo(size),
  ),
  apply: (_block, _size, values) => values,
  transpose: (_block, _size, values) => values,
  words: (attribute) => attribute,
  key: () => '',
};
