import type { BlockOf } from '../block.js';
import { type BlockKind, integer } from '../block-kind.js';
import { countCells, isCell } from './count-cells.js';

/** e_j: one cell. */
export const value: BlockKind<BlockOf<'value'>> = {
  fields: { cell: integer },
  check: ({ cell }, size, refuse) => {
    if (!isCell(cell, size)) refuse(`the cell must be an integer from 0 to ${size - 1}`, cell);
  },
  ...countCells<BlockOf<'value'>>(({ cell }) => [cell]),
  cells: ({ cell }) => [cell],
  words: (attribute, { cell }) => `${attribute} in cell ${cell}`,
  // A set of one cell has the same answers.
  key: ({ cell }) => `set(${cell})`,
};
