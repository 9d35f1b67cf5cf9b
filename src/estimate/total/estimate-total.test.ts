import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../test/support/plain-source.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Block } from '../../query/block/block.js';
import { blockMatrix } from '../../query/block/block-matrix.js';
import { marginal } from '../../query/marginal.js';
import { factored, prefix, type Query } from '../../query/query.js';
import { estimateTotal } from './estimate-total.js';
import { totalWeights } from './total-weights.js';

const domain = plainDomain([4, 3]);
const measured = (query: Query, values: number[], scale: number): Measurement => ({
  query,
  values: Float64Array.from(values),
  noise: { kind: 'gaussian', scale },
});

const ranges = (size: number) =>
  fc.array(
    fc.tuple(fc.nat(size - 1), fc.nat(size - 1)).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]),
    { minLength: 1, maxLength: 12 },
  );

/** By elimination with pivoting. */
const rank = (rows: readonly Float64Array[]): number => {
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
      fc.property(fc.integer({ min: 1, max: 7 }), fc.nat(), (size, seed) => {
        const blocks: Block[] = [
          { kind: 'keep' },
          { kind: 'prefix' },
          { kind: 'regroup', groups: Array.from({ length: size }, (_, i) => (i * (seed % 3)) % 4), size: 4 },
          { kind: 'ranges', ranges: fc.sample(ranges(size), { seed, numRuns: 1 })[0] },
        ];
        for (const block of blocks) {
          const matrix = blockMatrix(block, size);
          const weights = totalWeights(block, size);
          const ones = new Float64Array(size).fill(1);
          expect(weights !== undefined).toBe(rank([...matrix, ones]) === rank(matrix));
          if (weights === undefined) continue;
          for (let cell = 0; cell < size; cell++)
            expect(matrix.reduce((sum, row, r) => sum + weights[r] * row[cell], 0)).toBeCloseTo(1, 7);
          // The shortest solution spreads evenly over rows that say the same.
          const equal = matrix.flatMap((row, r) =>
            matrix.flatMap((other, s) => (r < s && row.every((entry, cell) => entry === other[cell]) ? [[r, s]] : [])),
          );
          for (const [r, s] of equal) expect(weights[r]).toBeCloseTo(weights[s], 7);
        }
      }),
      { numRuns: 60 },
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

describe('the total', () => {
  it('is the mean of what measurements tell, weighted by inverse variance, factored ones among them', () => {
    const list = [
      measured(marginal('a'), [1, 2, 3, 4], 1), // 10, variance 4
      measured(prefix('a'), [2, 5, 9, 14], 1), // 14, variance 1
      measured(factored({ a: { kind: 'prefix' }, b: { kind: 'keep' } }), [0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 5], 2), // 12, variance 12
      measured(factored({ a: { kind: 'mean' } }), [1e6], 1e-3), // tells nothing
    ];
    const expected = (10 / 4 + 14 + 12 / 12) / (1 / 4 + 1 + 1 / 12);
    expect(estimateTotal(list, domain)).toBeCloseTo(expected, 10);
    expect(estimateTotal(list)).toBe(10);
  });

  it('cannot come from queries that miss records', () => {
    expect(() => estimateTotal([measured(factored({ a: { kind: 'value', cell: 1 } }), [3], 1)], domain)).toThrow(
      /total/,
    );
  });
});
