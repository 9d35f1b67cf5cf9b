import type { Table } from '../../src/domain/table.js';
import { seeded } from '../../src/random/seeded.js';
import { uniform } from '../../src/random/uniform.js';
import { rowsWhere } from '../data/pick-rows.js';
import { madeNetwork } from '../rivals/made-network.js';
import { type Setting, triplesOf } from './settings.js';

/** The first rows of a random network are public, and the private ones are the others, after half of those in some cells have been left out. */
const made = (
  sizes: readonly number[],
  { rows, publicRows, seed }: { readonly rows: number; readonly publicRows: number; readonly seed: number },
  isRarer: (columns: Table['columns'], row: number) => boolean,
): Pick<Setting, 'publicTable' | 'privateTable' | 'triples'> => {
  const table = madeNetwork(sizes, rows, seed);
  const random = seeded(seed);
  return {
    publicTable: rowsWhere(table, (row) => row < publicRows),
    privateTable: rowsWhere(
      table,
      (row) => row >= publicRows && (!isRarer(table.columns, row) || uniform(random) < 0.5),
    ),
    triples: triplesOf(table),
  };
};

/** Tables of other shapes than the real ones: random networks that no constant was chosen on. */
export const madeSettings = {
  'made, ten mixed': () =>
    made([2, 3, 4, 5, 6, 8, 10, 12, 16, 20], { rows: 24_000, publicRows: 4000, seed: 111 }, () => false),
  'made, 14 binary, moved': () =>
    made(Array(14).fill(2), { rows: 45_000, publicRows: 15_000, seed: 112 }, ([first], row) => first[row] === 1),
  'made, one of 300, moved': () =>
    made(
      [300, 8, 5, 4, 12, 2, 3, 6, 9],
      { rows: 60_000, publicRows: 10_000, seed: 113 },
      ([, , , , fifth], row) => fifth[row] < 3,
    ),
} as const;
export type MadeName = keyof typeof madeSettings;
export const madeNames = Object.keys(madeSettings) as MadeName[];
