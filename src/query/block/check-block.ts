import { InputError } from '../../domain/input-error.js';
import type { Block } from './block.js';

const isCell = (cell: number, size: number) => Number.isInteger(cell) && cell >= 0 && cell < size;

/** Refuses a block that does not fit an attribute of `size` cells; `attribute` is its name, for the message. */
export const checkBlock = (block: Block, size: number, attribute: string): void => {
  const refuse = (rule: string, got: unknown): never => {
    throw new InputError(
      `query block of ${JSON.stringify(attribute)}: ${rule}, got ${JSON.stringify(got).slice(0, 200)}`,
    );
  };
  const last = size - 1;
  switch (block.kind) {
    case 'keep':
    case 'sum':
    case 'prefix':
    case 'mean':
      return;
    case 'value':
      if (!isCell(block.cell, size)) refuse(`the cell must be an integer from 0 to ${last}`, block.cell);
      return;
    case 'set': {
      const stray = block.cells.find((cell) => !isCell(cell, size));
      if (stray !== undefined) refuse(`the set's cells must be integers from 0 to ${last}`, stray);
      if (block.cells.length === 0) refuse('the set must have at least one cell', []);
      if (new Set(block.cells).size < block.cells.length) refuse('the set must not repeat a cell', block.cells);
      return;
    }
    case 'ranges': {
      const stray = block.ranges.find(([low, high]) => !isCell(low, size) || !isCell(high, size) || low > high);
      if (stray !== undefined) refuse(`a range must be two cells with 0 <= low <= high <= ${last}`, stray);
      if (block.ranges.length === 0) refuse('there must be at least one range', []);
      return;
    }
    case 'regroup': {
      if (!Number.isSafeInteger(block.size) || block.size < 1 || block.size > 2 ** 32)
        refuse('the number of groups must be a positive integer', block.size);
      if (block.groups.length !== size)
        refuse(`there must be one group for each of the ${size} cells`, block.groups.length);
      const stray = block.groups.find((group) => !isCell(group, block.size));
      if (stray !== undefined) refuse(`a group must be an integer from 0 to ${block.size - 1}`, stray);
      return;
    }
    case 'moments':
      if (!Number.isInteger(block.count) || block.count < 1 || block.count > 52)
        refuse('the number of moments must be an integer from 1 to 52', block.count);
      // Entries must be integers that a double holds exactly.
      if (last ** block.count >= 2 ** 53)
        refuse(
          `the largest cell number, ${last}, to the power of the number of moments must stay below 2^53`,
          block.count,
        );
      return;
    default:
      refuse('the kind of block is not known', (block as { kind: unknown }).kind);
  }
};
