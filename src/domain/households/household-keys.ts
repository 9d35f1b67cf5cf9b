import type { HouseholdTable } from './household-table.js';

/** The number of each row's household: what a source is told of a table that was put together already. */
export const householdKeys = ({ length, offsets }: HouseholdTable): Uint32Array => {
  const keys = new Uint32Array(length);
  for (let h = 0; h + 1 < offsets.length; h++) keys.fill(h, offsets[h], offsets[h + 1]);
  return keys;
};
