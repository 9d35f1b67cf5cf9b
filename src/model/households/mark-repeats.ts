import type { HouseholdTable } from '../../domain/households/household-table.js';

/**
 * Overwrites the cell of every person whose household has somebody in it before them with `outside`. What is left counts each household once in each
 * cell, as `holding` does.
 */
export const markRepeats = (
  cells: Uint32Array,
  { offsets }: Pick<HouseholdTable, 'offsets'>,
  outside: number,
): void => {
  for (let h = 0; h + 1 < offsets.length; h++)
    for (let row = offsets[h] + 1; row < offsets[h + 1]; row++)
      for (let before = offsets[h]; before < row; before++)
        if (cells[before] === cells[row]) {
          cells[row] = outside;
          break;
        }
};
