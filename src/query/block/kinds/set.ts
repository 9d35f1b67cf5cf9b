import * as v from 'valibot';
import { plural } from '../../../domain/plural.js';
import type { BlockOf } from '../block.js';
import { type BlockKind, integer } from '../block-kind.js';
import { countCells, isCell } from './count-cells.js';

/** e_S: one set of cells. */
export const set: BlockKind<BlockOf<'set'>> = {
  fields: { cells: v.array(integer) },
  check: ({ cells }, size, refuse) => {
    const stray = cells.find((cell) => !isCell(cell, size));
    if (stray !== undefined) refuse(`the set's cells must be integers from 0 to ${size - 1}`, stray);
    if (cells.length === 0) refuse('the set must have at least one cell', []);
    if (new Set(cells).size < cells.length) refuse('the set must not repeat a cell', cells);
  },
  ...countCells<BlockOf<'set'>>(({ cells }) => cells),
  cells: ({ cells }) => cells,
  words: (attribute, { cells }) => `${attribute} in a set of ${plural(cells.length, 'cell')}`,
  key: ({ cells }) => `set(${[...cells].sort((a, b) => a - b).join(',')})`,
};
