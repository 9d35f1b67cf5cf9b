import { describe, expect, it } from 'vitest';
import { seeded } from '../../random/seeded.js';
import { uniformInteger } from '../../random/uniform.js';
import { dependenceGrid } from './dependence-grid.js';
import { dependenceScore, dependenceSensitivity, type Sides } from './dependence-scores.js';

/** n I by its definition, in doubles. */
const plainScore = (counts: readonly number[], [of, on]: Sides): number => {
  const n = counts.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  for (let x = 0; x < of; x++)
    for (let y = 0; y < on; y++) {
      const both = counts[x * on + y];
      if (both === 0) continue;
      let [row, column] = [0, 0];
      for (let j = 0; j < on; j++) row += counts[x * on + j];
      for (let i = 0; i < of; i++) column += counts[i * on + y];
      sum += both * Math.log((n * both) / (row * column));
    }
  return sum;
};

/** All tables of n records in so many cells. */
const tablesOf = (cells: number, n: number): number[][] =>
  cells === 1
    ? [[n]]
    : Array.from({ length: n + 1 }, (_, first) =>
        tablesOf(cells - 1, n - first).map((rest) => [first, ...rest]),
      ).flat();

/** The largest change of the score, over all tables of n records and all their neighbours. */
const largestChange = (sides: Sides, n: number, rows: number, relation: 'add-remove' | 'replace-one'): number => {
  const grid = dependenceGrid(rows);
  const cells = sides[0] * sides[1];
  const scoreOf = (counts: readonly number[]): number => dependenceScore(Float64Array.from(counts), sides, grid);
  const plus = (counts: readonly number[], cell: number, by: number): number[] =>
    counts.map((count, i) => (i === cell ? count + by : count));
  let most = 0;
  for (const table of tablesOf(cells, n)) {
    const here = scoreOf(table);
    for (let to = 0; to < cells; to++)
      if (relation === 'add-remove') most = Math.max(most, Math.abs(scoreOf(plus(table, to, 1)) - here));
      else
        for (let from = 0; from < cells; from++)
          if (table[from] > 0) most = Math.max(most, Math.abs(scoreOf(plus(plus(table, from, -1), to, 1)) - here));
  }
  return most;
};

const stated = (sides: Sides, rows: number, relation: 'add-remove' | 'replace-one', sameRows: boolean): number =>
  dependenceSensitivity(dependenceGrid(rows), [sides], { relation, maxRecords: 1, sameRows });

describe('dependenceScore', () => {
  it('is n times the mutual information in nats, up to the grid, for counts of any size', () => {
    const random = seeded(1);
    for (const most of [3, 50, 5000, 300_000, 2 ** 24])
      for (const sides of [
        [2, 2],
        [3, 4],
        [5, 1],
        [7, 30],
      ] as const) {
        const counts = Array.from({ length: sides[0] * sides[1] }, () =>
          Math.floor(uniformInteger(random, most) / (1 + uniformInteger(random, 5))),
        );
        const n = counts.reduce((sum, count) => sum + count, 0);
        const grid = dependenceGrid(Math.max(2, n));
        const found = dependenceScore(Float64Array.from(counts), sides, grid);
        expect(Number.isSafeInteger(found)).toBe(true);
        expect(Math.abs(found / grid.units - plainScore(counts, sides))).toBeLessThan(1e-5 * n + 1e-3);
      }
  });

  it('is 0 against no attribute, and for independent attributes nearly so', () => {
    const grid = dependenceGrid(1000);
    expect(dependenceScore(Float64Array.of(5, 0, 17), [3, 1], grid)).toBe(0);
    expect(Math.abs(dependenceScore(Float64Array.of(20, 40, 10, 20), [2, 2], grid))).toBeLessThan(200);
  });

  it('goes on with the largest increment beyond the bound, in whole numbers of any size', () => {
    const grid = dependenceGrid(100);
    expect(grid.sum(150)).toBe(grid.sum(100) + 50 * grid.largest);
    const counts = Float64Array.of(2 ** 44, 3, 5, 2 ** 43 + 1);
    const [a, b, c, d] = Array.from(counts);
    const exact =
      grid.exactSum(a + b + c + d) +
      [a, b, c, d].reduce((sum, count) => sum + grid.exactSum(count), 0n) -
      [a + b, c + d, a + c, b + d].reduce((sum, count) => sum + grid.exactSum(count), 0n);
    expect(dependenceScore(counts, [2, 2], grid)).toBe(Number(exact));
    // One record more: the sums are far above 2^53, their difference is exact all the same.
    for (let cell = 0; cell < 4; cell++) {
      const more = counts.map((count, i) => count + (i === cell ? 1 : 0));
      const moved = dependenceScore(more, [2, 2], grid) - dependenceScore(counts, [2, 2], grid);
      expect(Math.abs(moved)).toBeLessThanOrEqual(grid.largest);
    }
  });

  it('has increments that never fall, also where octaves share them', () => {
    const grid = dependenceGrid(2 ** 20);
    const near = [0, 2 ** 15, 2 ** 16, 2 ** 17, 2 ** 18, 2 ** 20].flatMap((edge) =>
      Array.from({ length: 400 }, (_, i) => Math.max(0, edge - 200) + i),
    );
    let before = -1;
    for (const t of near) {
      const increment = grid.sum(t + 1) - grid.sum(t);
      expect(increment).toBeGreaterThanOrEqual(before);
      expect(increment).toBeLessThanOrEqual(grid.largest);
      before = increment;
    }
  });
});

describe('dependenceSensitivity', () => {
  const shapes: readonly Sides[] = [
    [2, 2],
    [2, 3],
    [3, 3],
    [1, 4],
  ];

  it('is no less than any neighbour under add-remove moves the score, and one moves it as much', () => {
    for (const sides of shapes)
      for (const n of [1, 2, 4]) {
        const most = largestChange(sides, n, n + 1, 'add-remove');
        expect(most).toBeLessThanOrEqual(stated(sides, n + 1, 'add-remove', false));
        if (Math.min(...sides) > 1) expect(most).toBe(stated(sides, n + 1, 'add-remove', false));
      }
  });

  it('holds for tables with more records than the bound says', () => {
    for (const sides of shapes)
      for (const rows of [2, 3]) {
        expect(largestChange(sides, 5, rows, 'add-remove')).toBeLessThanOrEqual(
          stated(sides, rows, 'add-remove', false),
        );
        expect(largestChange(sides, 5, rows, 'replace-one')).toBeLessThanOrEqual(
          stated(sides, rows, 'replace-one', false),
        );
      }
  });

  it("is PrivBayes' under replace-one with a known number of records, attained up to the grid: general and binary", () => {
    for (const sides of shapes)
      for (const n of [2, 3, 5]) {
        const most = largestChange(sides, n, n, 'replace-one');
        const bound = stated(sides, n, 'replace-one', true);
        expect(most).toBeLessThanOrEqual(bound);
        const { units } = dependenceGrid(n);
        const binary = Math.min(...sides) <= 2;
        // Zhang et al. 2017, Lemma 4.1, times n.
        const paper = binary
          ? Math.log(n) + (n - 1) * Math.log(n / (n - 1))
          : 2 * Math.log((n + 1) / 2) + (n - 1) * Math.log((n + 1) / (n - 1));
        expect(bound / units / paper).toBeGreaterThanOrEqual(1);
        expect(bound / units / paper).toBeLessThan(1.0002);
        // The general bound needs an odd number: the others are split in two halves.
        if (Math.min(...sides) > 1 && (binary || n % 2 === 1)) expect(most / bound).toBeGreaterThan(0.9998);
      }
  });

  it('of the binary case is too small for others, which is why one candidate with more cells changes it for all', () => {
    const [n, binary] = [5, stated([2, 3], 5, 'replace-one', true)];
    expect(largestChange([3, 3], n, n, 'replace-one')).toBeGreaterThan(binary);
    const both = dependenceSensitivity(
      dependenceGrid(n),
      [
        [2, 3],
        [3, 3],
      ],
      {
        relation: 'replace-one',
        maxRecords: 1,
        sameRows: true,
      },
    );
    expect(both).toBe(stated([3, 3], n, 'replace-one', true));
  });

  it('holds where octaves share increments: random neighbours and worst ones of large tables', () => {
    const random = seeded(2);
    for (const n of [2 ** 16 + 1, 2 ** 18 + 3, 2 ** 21 + 1]) {
      const grid = dependenceGrid(n);
      const half = (n - 1) / 2;
      for (const sides of [
        [2, 2],
        [3, 3],
      ] as const) {
        const cells = sides[0] * sides[1];
        const worst = new Float64Array(cells);
        // A row alone where it leaves from: its row and column hold half of the others each.
        if (cells === 9) worst.set([1, half, 0, half, 0, 0, 0, 0, 0]);
        else worst.set([1, 0, 0, n - 1]);
        const tables = [worst];
        for (let i = 0; i < 40; i++) {
          const table = new Float64Array(cells);
          for (let left = n; left > 0; ) {
            const part = 1 + uniformInteger(random, left);
            table[uniformInteger(random, cells)] += part;
            left -= part;
          }
          tables.push(table);
        }
        let most = 0;
        for (const table of tables)
          for (let from = 0; from < cells; from++)
            for (let to = 0; to < cells; to++) {
              if (table[from] === 0 || from === to) continue;
              const other = table.slice();
              other[from]--;
              other[to]++;
              most = Math.max(
                most,
                Math.abs(dependenceScore(other, sides, grid) - dependenceScore(table, sides, grid)),
              );
            }
        const bound = stated(sides, n, 'replace-one', true);
        expect(most).toBeLessThanOrEqual(bound);
        expect(most / bound).toBeGreaterThan(0.9999);
      }
    }
  });

  it('grows with the rows of a unit, and knows no sharper bound for them', () => {
    const grid = dependenceGrid(10);
    const of = (relation: 'add-remove' | 'replace-one') =>
      dependenceSensitivity(grid, [[2, 2]], { relation, maxRecords: 3, sameRows: false });
    expect([of('add-remove'), of('replace-one')]).toEqual([3 * grid.largest, 6 * grid.largest]);
  });

  it('wants a bound that is a whole number from 2 on', () => {
    for (const rows of [1, 2.5, Number.NaN, 2 ** 36]) expect(() => dependenceGrid(rows)).toThrow(/rows: must be/);
  });
});
