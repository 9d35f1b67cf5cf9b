import { describe, expect, it } from 'vitest';
import { atOnce } from '../domain/turns.js';
import { seeded } from '../random/seeded.js';
import { uniform, uniformInteger } from '../random/uniform.js';
import { type BalancedRows, balancedCounts } from './balanced-counts.js';
import { roundedCounts } from './rounded-counts.js';

const sizes = [2, 5, 9, 4, 7, 12];

/** Rows whose attributes hang together by a hidden number, with uneven weights; some rows are alike. */
const rowsOf = (length: number): BalancedRows => {
  const random = seeded(length);
  const columns = sizes.map(() => new Uint16Array(length));
  const weights = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    const hidden = uniform(random);
    for (const [a, size] of sizes.entries())
      columns[a][row] = uniform(random) < 0.6 ? Math.floor(hidden * size) : uniformInteger(random, size);
    weights[row] = uniform(random) ** 3 + 1e-3;
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { columns, sizes, weights: weights.map((weight) => weight / sum) };
};

/** Total variation of each marginal of so many attributes between copies of rows and their weights. */
const deviations = ({ columns, weights }: BalancedRows, counts: ArrayLike<number>, total: number, order: number) => {
  const sets = sizes.flatMap((_, a) =>
    order === 1
      ? [[a]]
      : sizes.flatMap((__, b) =>
          order === 2 ? (b > a ? [[a, b]] : []) : sizes.flatMap((___, c) => (c > b && b > a ? [[a, b, c]] : [])),
        ),
  );
  return sets.map((set) => {
    const off = new Map<number, number>();
    for (let row = 0; row < weights.length; row++) {
      const cell = set.reduce((at, a) => at * sizes[a] + columns[a][row], 0);
      off.set(cell, (off.get(cell) ?? 0) + counts[row] / total - weights[row]);
    }
    return [...off.values()].reduce((sum, value) => sum + Math.abs(value), 0) / 2;
  });
};

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Independent draws. */
const drawnCounts = (weights: Float64Array, total: number, seed: number): Uint32Array => {
  const random = seeded(seed);
  const counts = new Uint32Array(weights.length);
  const points = Float64Array.from({ length: total }, () => uniform(random)).sort();
  let [row, sum] = [0, weights[0]];
  for (const point of points) {
    while (row < weights.length - 1 && point >= sum) sum += weights[++row];
    counts[row]++;
  }
  return counts;
};

describe('balanced counts', () => {
  const rows = rowsOf(3000);

  it.each([0, 1, 7, 125, 3000, 20_000])('are %d in all, each within one of its due', (total) => {
    const counts = atOnce(balancedCounts(rows, total, seeded(1)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
    counts.forEach((count, row) => {
      expect(Math.abs(count - total * rows.weights[row])).toBeLessThan(1 + 1e-9);
    });
    expect(atOnce(balancedCounts(rows, total, seeded(1)))).toEqual(counts);
  });

  // On average over four seeds no single attribute or pair comes out further off than by independent draws, at any size; triples, which nobody looks at, gain on average.
  it.each([125, 1000, 3000, 20_000])('of %d rows deviate less than independent and systematic draws', (total) => {
    const seeds = [1, 2, 3, 4];
    const averaged = (counts: (seed: number) => Uint32Array, order: number): number[] => {
      const all = seeds.map((seed) => deviations(rows, counts(seed), total, order));
      return all[0].map((_, i) => mean(all.map((own) => own[i])));
    };
    const ways = [
      (seed: number) => atOnce(balancedCounts(rows, total, seeded(seed))),
      (seed: number) => roundedCounts(rows.weights, total, seeded(seed)),
      (seed: number) => drawnCounts(rows.weights, total, seed),
    ];
    for (const order of [1, 2]) {
      const [balanced, systematic, independent] = ways.map((way) => averaged(way, order));
      for (const [i, value] of balanced.entries()) expect(value).toBeLessThan(0.95 * independent[i]);
      expect(mean(balanced)).toBeLessThan((order === 1 ? 0.5 : 0.85) * mean(systematic));
    }
    const [balanced, systematic, independent] = ways.map((way) => mean(averaged(way, 3)));
    expect(balanced).toBeLessThan(systematic);
    expect(balanced).toBeLessThan(independent);
  });

  it('keep whole dues as they are, and take supports of one row', () => {
    const even = { columns: [Uint8Array.of(0, 1, 2, 3)], sizes: [4], weights: new Float64Array(4).fill(0.25) };
    expect([...atOnce(balancedCounts(even, 8, seeded(2)))]).toEqual([2, 2, 2, 2]);
    expect([
      ...atOnce(balancedCounts({ columns: [Uint8Array.of(1)], sizes: [2], weights: Float64Array.of(1) }, 5, seeded(2))),
    ]).toEqual([5]);
  });

  it('are for tables of many attributes too: as many marginals are kept in balance as there is room for', () => {
    const length = 400;
    const random = seeded(9);
    const wide = {
      columns: Array.from({ length: 300 }, () => Uint16Array.from({ length }, () => uniformInteger(random, 1000))),
      sizes: new Array<number>(300).fill(1000),
      weights: new Float64Array(length).fill(1 / length),
    };
    expect(atOnce(balancedCounts(wide, 100, random)).reduce((sum, count) => sum + count, 0)).toBe(100);
  });
});
