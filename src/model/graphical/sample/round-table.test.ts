import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../../random/seeded.js';
import { uniform } from '../../../random/uniform.js';
import { tableRounder } from './round-table.js';

const sum = (values: Iterable<number>): number => [...values].reduce((all, value) => all + value, 0);

/** Rows of expected counts with whole sums; some entries are zero, some whole. */
const randomRows = (rows: number, size: number, seed: number): Float64Array[] => {
  const random = seeded(seed);
  return Array.from({ length: rows }, () => {
    const weights = Float64Array.from({ length: size }, () => Math.max(0, uniform(random) - 0.3) ** 2);
    const total = Math.floor(uniform(random) * 6);
    const mass = sum(weights);
    return weights.map((weight) => (mass > 0 ? (weight / mass) * total : total / size));
  });
};

const round = (rows: readonly Float64Array[], size: number, seed: number): number[][] => {
  const counts = new Uint32Array(rows.length * size);
  const rounder = tableRounder(size, seeded(seed));
  rows.forEach((row, i) => {
    rounder.row(row, counts, i * size);
  });
  rounder.end();
  return rows.map((_, i) => [...counts.subarray(i * size, (i + 1) * size)]);
};

const around = (count: number, expected: number) => {
  expect(count).toBeGreaterThanOrEqual(Math.floor(expected + 1e-6));
  expect(count).toBeLessThanOrEqual(Math.ceil(expected - 1e-6));
};

describe('tableRounder', () => {
  it('rounds every entry and every column sum to a neighbouring whole number, and keeps row sums', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 12 }), fc.nat(), (rows, size, seed) => {
        const expected = randomRows(rows, size, seed);
        const counts = round(expected, size, seed + 1);
        expected.forEach((row, i) => {
          expect(sum(counts[i])).toBe(Math.round(sum(row)));
          row.forEach((value, column) => {
            around(counts[i][column], value);
          });
        });
        for (let column = 0; column < size; column++)
          around(sum(counts.map((row) => row[column])), sum(expected.map((row) => row[column])));
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('moves nothing on average', () => {
    const [rows, size, runs] = [7, 4, 20_000];
    const expected = randomRows(rows, size, 3);
    const means = expected.map((row) => row.map(() => 0));
    for (let seed = 0; seed < runs; seed++)
      round(expected, size, seed).forEach((row, i) => {
        row.forEach((count, column) => {
          means[i][column] += count / runs;
        });
      });
    // Entries are one of two neighbouring numbers: Hoeffding's bound at 1e-8 for each of 28.
    const bound = Math.sqrt(Math.log(2e8) / (2 * runs));
    expected.forEach((row, i) => {
      row.forEach((value, column) => {
        expect(Math.abs(means[i][column] - value)).toBeLessThan(bound);
      });
    });
  });

  it('starts anew after each end', () => {
    const rounder = tableRounder(3, seeded(1));
    for (let block = 0; block < 50; block++) {
      const rows = randomRows(5, 3, block);
      const counts = new Uint32Array(15);
      rows.forEach((row, i) => {
        rounder.row(row, counts, 3 * i);
      });
      rounder.end();
      for (let column = 0; column < 3; column++)
        around(sum(rows.map((_, i) => counts[3 * i + column])), sum(rows.map((row) => row[column])));
    }
  });
});
