import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainDomain } from '../../../../test/support/plain-source.js';
import type { Block } from '../../../query/block/block.js';
import { kronecker, matrixOf } from '../../../query/block/matrix-of.js';
import { allRanges } from '../../../query/workload/range-workloads.js';
import { seeded } from '../../../random/seeded.js';
import { uniform } from '../../../random/uniform.js';
import { gramOf } from './gram.js';
import { bestMarginalParts, marginalError } from './marginal-weights.js';
import { type Norm, optimisePIdentity, strategyError } from './p-identity.js';
import { errorOf, strategyFor } from './strategy.js';
import { strategyTrace } from './strategy-trace.js';
import { wholeStrategy } from './whole-strategy.js';

const norms: readonly Norm[] = ['l1', 'l2'];
const rangesOf = (size: number): Block => allRanges(plainDomain([size]), 'a').factors[0].block;
const workloads = (size: number): Block[] => [
  { kind: 'prefix' },
  rangesOf(size),
  { kind: 'matrix', rows: [Array.from({ length: size }, (_, i) => i - 2), Array.from({ length: size }, () => 1)] },
];

/** trace(X^-1 V) the long way: by elimination with pivoting on matrices that are written out. */
const denseTrace = (a: readonly (readonly number[])[], w: readonly (readonly number[])[]): number => {
  const size = a[0].length;
  const square = (m: readonly (readonly number[])[]) =>
    Array.from({ length: size }, (_, i) =>
      Array.from({ length: size }, (_, j) => m.reduce((sum, row) => sum + row[i] * row[j], 0)),
    );
  const joined = square(a).map((row, i) => [...row, ...square(w)[i]]);
  for (let column = 0; column < size; column++) {
    const pivot = joined.reduce(
      (best, row, r) => (r >= column && Math.abs(row[column]) > Math.abs(joined[best][column]) ? r : best),
      column,
    );
    [joined[column], joined[pivot]] = [joined[pivot], joined[column]];
    joined[column] = joined[column].map((value) => value / joined[column][column]);
    for (let r = 0; r < size; r++)
      if (r !== column) joined[r] = joined[r].map((value, c) => value - joined[r][column] * joined[column][c]);
  }
  return joined.reduce((sum, row, i) => sum + row[size + i], 0);
};

const scaled = (theta: Float64Array, rows: number, size: number, norm: Norm): number[][] => {
  const columns = Array.from({ length: size }, (_, i) => [
    ...Array.from({ length: size }, (_, j) => Number(i === j)),
    ...Array.from({ length: rows }, (_, k) => theta[k * size + i]),
  ]);
  const units = columns.map((column) => {
    const length = norm === 'l1' ? column.reduce((s, x) => s + Math.abs(x), 0) : Math.hypot(...column);
    return column.map((x) => x / length);
  });
  return units[0].map((_, row) => units.map((column) => column[row]));
};

describe.each(norms)('p-Identity strategies in the norm %s', (norm) => {
  it('have the error of the matrices written out, and its derivative', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 1, max: 3 }), fc.nat(), (size, rows, seed) => {
        const random = seeded(seed);
        const theta = Float64Array.from({ length: rows * size }, () => 0.05 + uniform(random));
        for (const block of workloads(size)) {
          const objective = strategyError(gramOf(block, size), rows, norm);
          const gradient = new Float64Array(theta.length);
          const value = objective(theta, gradient);
          expect(value / denseTrace(scaled(theta, rows, size, norm), matrixOf(block, size))).toBeCloseTo(1, 9);
          const scratch = new Float64Array(theta.length);
          for (let i = 0; i < theta.length; i++) {
            const [up, down] = [1e-5, -1e-5].map((step) =>
              objective(
                theta.map((x, j) => (i === j ? x + step : x)),
                scratch,
              ),
            );
            expect((up - down) / 2e-5 / value).toBeCloseTo(gradient[i] / value, 5);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('have the error of their whole numbers, never above that of the cells, whose own row no column lacks', () => {
    for (const size of [1, 2, 3, 7, 16, 40])
      for (const block of workloads(size)) {
        const found = strategyFor(block, size, norm);
        const cells = matrixOf(block, size)
          .flat()
          .reduce((sum, entry) => sum + entry ** 2, 0);
        expect(errorOf(found)).toBeLessThanOrEqual(cells);
        if (!found.whole) continue;
        const rows = matrixOf(found.block, size);
        expect(found.trace / denseTrace(rows, matrixOf(block, size))).toBeCloseTo(1, 6);
        const columns = rows[0].map((_, cell) =>
          rows.reduce((sum, row) => sum + (norm === 'l1' ? Math.abs(row[cell]) : row[cell] ** 2), 0),
        );
        expect(found.norm).toBe(Math.max(...columns) ** (norm === 'l1' ? 2 : 1));
      }
  });

  it('lose less than half a percent of their error to whole numbers', () => {
    for (const [size, block] of [
      [100, { kind: 'prefix' }],
      [64, rangesOf(64)],
      [17, { kind: 'prefix' }],
    ] as const) {
      const gram = gramOf(block, size);
      const real = optimisePIdentity(gram, norm, { random: seeded(3), restarts: 1 });
      const rows = wholeStrategy(real, size, norm);
      const columns = rows[0].map((_, cell) =>
        rows.reduce((sum, row) => sum + (norm === 'l1' ? row[cell] : row[cell] ** 2), 0),
      );
      const largest = Math.max(...columns) ** (norm === 'l1' ? 2 : 1);
      const whole = largest * strategyTrace({ kind: 'matrix', rows }, gram)!;
      expect(whole / real.error).toBeLessThan(1.005);
      expect(Math.max(...rows.flat())).toBeLessThan(1024);
    }
  });
});

describe('prefixes', () => {
  it('of 100 cells have an error within 3% of the best of many starts and of p from 2 to 25, 1,768', () => {
    const { block, trace, norm } = strategyFor({ kind: 'prefix' }, 100, 'l1');
    expect(block.kind).toBe('matrix');
    expect(trace * norm).toBeLessThan(1.03 * 1768.4);
    // The cells: 100 * 101 / 2.
    expect(trace * norm).toBeLessThan(5050 / 2.8);
  });
});

describe('blocks of few rows', () => {
  it('are measured as they are where that is best', () => {
    const one = strategyFor({ kind: 'set', cells: [0, 1, 2] }, 8, 'l1');
    expect(one).toMatchObject({ block: { kind: 'set' }, trace: 1, norm: 1, whole: false });
    expect(strategyFor({ kind: 'prefix' }, 4, 'l2').trace).toBeGreaterThan(0);
    expect(strategyFor({ kind: 'keep' }, 4, 'l2')).toMatchObject({ block: { kind: 'keep' }, trace: 4 });
  });
});

describe('the marginals template', () => {
  const domain = plainDomain([3, 2, 4]);
  const sets = (weights: Readonly<Record<string, number>>) =>
    [[], ['a'], ['b'], ['c'], ['a', 'b'], ['a', 'c'], ['b', 'c'], ['a', 'b', 'c']].map((attributes) => ({
      attributes,
      weight: weights[attributes.join('')] ?? 0,
    }));
  /** The marginal's matrix over the whole domain. */
  const written = (attributes: readonly string[]): number[][] =>
    domain.attributes
      .map(({ name, size }) => matrixOf(attributes.includes(name) ? { kind: 'keep' } : { kind: 'sum' }, size))
      .reduce(kronecker);

  it.each([1, 2] as const)(
    'has the error of the matrices written out, and improves on any division, variance falling by %i',
    (falls) => {
      fc.assert(
        fc.property(
          fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
          fc.record({ ab: fc.constantFrom(0, 1, 4), bc: fc.constantFrom(1, 2), abc: fc.constantFrom(0, 1) }),
          (raw, weights) => {
            const sum = raw.reduce((all, part) => all + part, 0);
            const parts = Float64Array.from(raw, (part) => part / sum);
            const all = sets(weights);
            // The whole table has to be told for the long way.
            const a = all.flatMap(({ attributes }, i) =>
              written(attributes).map((row) => row.map((x) => x * Math.sqrt(parts[i] ** falls))),
            );
            const w = all.flatMap(({ attributes, weight }) =>
              written(attributes).map((row) => row.map((x) => x * Math.sqrt(weight))),
            );
            const error = marginalError(all, domain, parts, falls);
            expect(error / denseTrace(a, w)).toBeCloseTo(1, 8);
            const best = bestMarginalParts(all, domain, falls);
            expect(best.parts.reduce((total, part) => total + part, 0)).toBeCloseTo(1, 9);
            expect(best.error).toBeLessThanOrEqual(error * (1 + 1e-9));
            expect(marginalError(all, domain, best.parts, falls)).toBeCloseTo(best.error, 9);
          },
        ),
        { numRuns: 60 },
      );
    },
  );
});
