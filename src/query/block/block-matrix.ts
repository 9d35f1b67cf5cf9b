import type { Block } from './block.js';
import { blockRows } from './block-rows.js';

const entry = (block: Block, row: number, cell: number): number => {
  switch (block.kind) {
    case 'keep':
      return row === cell ? 1 : 0;
    case 'sum':
      return 1;
    case 'value':
      return cell === block.cell ? 1 : 0;
    case 'set':
      return block.cells.includes(cell) ? 1 : 0;
    case 'prefix':
      return cell <= row ? 1 : 0;
    case 'ranges':
      return block.ranges[row][0] <= cell && cell <= block.ranges[row][1] ? 1 : 0;
    case 'regroup':
      return block.groups[cell] === row ? 1 : 0;
    case 'mean':
      return cell;
    case 'moments':
      return cell ** (row + 1);
  }
};

/** The matrix a block stands for, one array for each row: the readable definition. Everything else avoids building it. */
export const blockMatrix = (block: Block, size: number): Float64Array[] =>
  Array.from({ length: blockRows(block, size) }, (_, row) =>
    Float64Array.from({ length: size }, (_, cell) => entry(block, row, cell)),
  );
