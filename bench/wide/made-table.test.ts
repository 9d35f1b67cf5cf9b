import { expect, test } from 'vitest';
import { madeTable } from './made-table.js';

const shape = { sizes: [2, 5, 9, 20, 31], rows: 4000, spots: [60, 25], loose: [0.01, 0.05] as const };

/** The part of the records that the most frequent code of b for each code of a tells. */
const told = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  const counts = new Map<number, Map<number, number>>();
  for (let row = 0; row < a.length; row++) {
    const own = counts.get(a[row]) ?? new Map<number, number>();
    own.set(b[row], (own.get(b[row]) ?? 0) + 1);
    counts.set(a[row], own);
  }
  return [...counts.values()].reduce((sum, own) => sum + Math.max(...own.values()), 0) / a.length;
};

test('made tables follow their seed, and codes of one family nearly determine coarser ones', () => {
  const table = madeTable(shape, 1);
  expect(madeTable(shape, 1)).toEqual(table);
  expect(madeTable(shape, 1, 2).columns).not.toEqual(table.columns);
  const { columns } = table;
  for (const [i, size] of shape.sizes.entries()) expect(Math.max(...columns[i])).toBeLessThan(size);
  expect(told(columns[4], columns[0])).toBeGreaterThan(0.85);
  expect(told(columns[4], columns[2])).toBeGreaterThan(0.6);
  expect(told(columns[4], columns[2])).toBeGreaterThan(told(columns[3], columns[2]));
});
