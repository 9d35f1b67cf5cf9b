import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryBlock } from '../../../test/support/arbitrary-query.js';
import { blockMatrix } from '../../../test/support/row-answers.js';
import type { Block } from './block.js';
import { kindOf } from './block-kinds.js';

const integers = (length: number) =>
  fc
    .array(fc.integer({ min: -1000, max: 1000 }), { minLength: length, maxLength: length })
    .map((list) => Float64Array.from(list));

const dot = (a: ArrayLike<number>, b: Float64Array) => b.reduce((sum, value, i) => sum + value * a[i], 0);

const sized = fc.integer({ min: 1, max: 7 }).chain((size) => fc.tuple(fc.constant(size), arbitraryBlock(size)));

describe('blocks', () => {
  const setting = fc
    .integer({ min: 1, max: 7 })
    .chain((size) =>
      fc.tuple(fc.constant(size), arbitraryBlock(size), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
    );

  it('apply along an axis as their matrix does', () => {
    fc.assert(
      fc.property(
        setting.chain(([size, block, outer, inner]) =>
          fc.tuple(fc.constant({ size, block, outer, inner }), integers(outer * size * inner)),
        ),
        ([{ size, block, outer, inner }, values]) => {
          const matrix = blockMatrix(block, size);
          const out = kindOf(block).apply(block, size, values, outer, inner);
          expect(matrix).toHaveLength(kindOf(block).rows(block, size));
          expect(out).toHaveLength(outer * matrix.length * inner);
          for (let o = 0; o < outer; o++)
            for (let i = 0; i < inner; i++)
              for (let r = 0; r < matrix.length; r++) {
                const column = Float64Array.from({ length: size }, (_, cell) => values[(o * size + cell) * inner + i]);
                expect(out[(o * matrix.length + r) * inner + i]).toBe(dot(matrix[r], column));
              }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('transpose: <B x, y> equals <x, B^T y> on integers, exactly', () => {
    fc.assert(
      fc.property(
        setting.chain(([size, block, outer, inner]) =>
          fc.tuple(
            fc.constant({ size, block, outer, inner }),
            integers(outer * size * inner),
            integers(outer * kindOf(block).rows(block, size) * inner),
          ),
        ),
        ([{ size, block, outer, inner }, x, y]) => {
          const there = dot(kindOf(block).apply(block, size, x, outer, inner), y);
          expect(dot(x, kindOf(block).transpose(block, size, y, outer, inner))).toBe(there);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('have the squares of their rows', () => {
    fc.assert(
      fc.property(sized, ([size, block]) => {
        const expected = blockMatrix(block, size).map((row) => row.reduce((sum, entry) => sum + entry * entry, 0));
        expect(kindOf(block).squares(block, size)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('lie between the entries that they say', () => {
    fc.assert(
      fc.property(sized, ([size, block]) => {
        const [low, high] = kindOf(block).entries(block, size);
        const all = blockMatrix(block, size).flat();
        expect(low).toBeLessThanOrEqual(Math.min(...all));
        expect(high).toBeGreaterThanOrEqual(Math.max(...all));
      }),
      { numRuns: 300 },
    );
  });

  it('divide into classes of disjoint rows that hold every entry once, when all are 0 or 1', () => {
    fc.assert(
      fc.property(sized, ([size, block]) => {
        const matrix = blockMatrix(block, size);
        const classes = kindOf(block).classes(block, size);
        if (block.kind === 'mean' || block.kind === 'moments' || block.kind === 'matrix') {
          expect(classes).toBeUndefined();
          return;
        }
        const seen = matrix.map(() => new Array<number>(size).fill(0));
        const classOf = new Map<number, number>();
        for (const [number, rowOf] of classes!.entries())
          for (const [cell, row] of rowOf.entries()) {
            if (row < 0) continue;
            seen[row][cell]++;
            expect(classOf.get(row) ?? number).toBe(number);
            classOf.set(row, number);
          }
        expect(seen).toEqual(matrix);
      }),
      { numRuns: 300 },
    );
  });

  it('name the cells that they count exactly when they are one condition', () => {
    fc.assert(
      fc.property(sized, ([size, block]) => {
        const cells = kindOf(block).cells?.(block);
        expect(cells !== undefined).toBe(block.kind === 'value' || block.kind === 'set');
        if (cells === undefined) return;
        expect(blockMatrix(block, size)).toEqual([
          Array.from({ length: size }, (_, cell) => Number(cells.includes(cell))),
        ]);
      }),
      { numRuns: 300 },
    );
  });
});

const totalWeights = (block: Block, size: number) => kindOf(block).totalWeights(block, size);

/** By elimination with pivoting. */
const rank = (rows: readonly (readonly number[])[]): number => {
  const left = rows.map((row) => [...row]);
  let found = 0;
  for (let column = 0; column < left[0].length; column++) {
    const pivot = left.findIndex((row, r) => r >= found && Math.abs(row[column]) > 1e-9);
    if (pivot < 0) continue;
    [left[found], left[pivot]] = [left[pivot], left[found]];
    for (let r = found + 1; r < left.length; r++) {
      const factor = left[r][column] / left[found][column];
      left[r] = left[r].map((value, c) => value - factor * left[found][c]);
    }
    found++;
  }
  return found;
};

describe('the weights that make a total of answers', () => {
  it('add up to one in every cell, exist when the rows span that, and are even over equal rows', () => {
    fc.assert(
      fc.property(sized, ([size, block]) => {
        const matrix = blockMatrix(block, size);
        const weights = totalWeights(block, size);
        const ones = new Array<number>(size).fill(1);
        expect(weights !== undefined).toBe(rank([...matrix, ones]) === rank(matrix));
        if (weights === undefined) return;
        for (let cell = 0; cell < size; cell++)
          expect(matrix.reduce((sum, row, r) => sum + weights[r] * row[cell], 0)).toBeCloseTo(1, 7);
        // The shortest solution spreads evenly over rows that say the same.
        const equal = matrix.flatMap((row, r) =>
          matrix.flatMap((other, s) => (r < s && row.every((entry, cell) => entry === other[cell]) ? [[r, s]] : [])),
        );
        // Empty rows say nothing, and weigh nothing.
        for (const [r, s] of equal) expect(weights[r]).toBeCloseTo(weights[s], 7);
      }),
      { numRuns: 300 },
    );
  });

  it('exist for ranges only when these can be added to cover every cell alike', () => {
    expect(
      totalWeights(
        {
          kind: 'ranges',
          ranges: [
            [0, 1],
            [2, 3],
          ],
        },
        4,
      ),
    ).toEqual(Float64Array.of(1, 1));
    expect(totalWeights({ kind: 'ranges', ranges: [[0, 2]] }, 4)).toBeUndefined();
    const [a, b, c] = totalWeights(
      {
        kind: 'ranges',
        ranges: [
          [0, 3],
          [0, 1],
          [2, 3],
        ],
      },
      4,
    )!;
    // min a^2 + b^2 + c^2 with a + b = 1 = a + c: a = 2/3.
    expect([a, b, c].map((value) => Math.round(value * 3e9) / 1e9)).toEqual([2, 1, 1]);
  });
});
