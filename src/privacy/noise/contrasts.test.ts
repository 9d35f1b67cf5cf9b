import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domainOf } from '../../../test/support/arbitrary-query.js';
import { answerFrom } from '../../query/answer.js';
import { residual } from '../../query/residual.js';
import { seededEntropy } from '../entropy.js';
import { rational } from '../rational.js';
import { checkContrasts, contrastsOf, noisyContrasts, residualOf } from './contrasts.js';

const shapes = fc.array(fc.integer({ min: 2, max: 5 }), { minLength: 1, maxLength: 3 });
const product = (list: readonly number[]) => list.reduce((all, one) => all * one, 1);
const nameList = ['a', 'b', 'c'];

const setting = shapes.chain((sizes) =>
  fc.record({
    sizes: fc.constant(sizes),
    counts: fc
      .array(fc.nat(1000), { minLength: product(sizes), maxLength: product(sizes) })
      .map((list) => Float64Array.from(list)),
    noise: fc.array(fc.integer({ min: -5000, max: 5000 }), { minLength: product(sizes), maxLength: product(sizes) }),
  }),
);

/** Draws that come from a list. */
const tape = (noise: readonly (number | bigint)[]) => {
  let next = 0;
  return () => noise[next++];
};

const isClose = (a: Float64Array, b: Float64Array) => {
  expect(a).toHaveLength(b.length);
  a.forEach((value, i) => {
    expect(value).toBeCloseTo(b[i], 6);
  });
};

describe('noisy contrasts', () => {
  it('give the residual of the counts plus the noise', () => {
    fc.assert(
      fc.property(setting, ({ sizes, counts, noise }) => {
        const cells = product(sizes);
        const noisy = counts.map((count, i) => count + noise[i] / cells);
        const expected = answerFrom(residual(...nameList.slice(0, sizes.length)), domainOf(...sizes), noisy);
        const contrasts = contrastsOf(counts, sizes, tape(noise));
        expect(contrasts).toHaveLength(product(sizes.map((size) => size - 1)));
        expect(contrasts.every(Number.isSafeInteger)).toBe(true);
        isClose(residualOf(contrasts, sizes), expected);
      }),
      { numRuns: 200 },
    );
  });

  it('are all that leaves: counts that differ by what contrasts do not see give the same, draw for draw', () => {
    fc.assert(
      fc.property(setting, fc.nat(1), fc.nat(50), ({ sizes, counts, noise }, which, more) => {
        // A number for each line along one axis.
        const axis = which % sizes.length;
        const inner = product(sizes.slice(axis + 1));
        const line = (cell: number) => Math.floor(cell / (inner * sizes[axis])) * inner + (cell % inner);
        const other = counts.map((count, cell) => count + more * ((line(cell) % 7) + 1));
        expect(contrastsOf(other, sizes, tape(noise))).toEqual(contrastsOf(counts, sizes, tape(noise)));
      }),
      { numRuns: 200 },
    );
  });

  it('are exact where noise leaves the doubles behind, stay below 2^53, and never fail', () => {
    const sizes = [2, 3];
    const counts = Float64Array.of(5, 7, 1, 0, 9, 2);
    const noise = [2n ** 60n, 1n, -(2n ** 60n) + 3n, 2n ** 60n + 17n, -4n, 5n];
    const sum = noise.map((own, i) => own + 6n * BigInt(counts[i]));
    const exact = [sum[4] - sum[3] - sum[1] + sum[0], sum[5] - sum[4] - sum[2] + sum[1]];
    const limit = BigInt(Number.MAX_SAFE_INTEGER);
    expect([...contrastsOf(counts, sizes, tape(noise))]).toEqual(
      exact.map((value) => Number(value > limit ? limit : value < -limit ? -limit : value)),
    );
    const [first, second] = contrastsOf(counts, sizes, tape(noise));
    expect(Math.abs(first)).toBeLessThan(2 ** 53);
    expect(second).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('of counts beyond reason are those of capped counts, which one record moves by one or not at all', () => {
    const sizes = [64, 64];
    const cap = 2 ** 52 / (4096 * 4);
    const counts = new Float64Array(4096);
    const contrasts = (first: number) =>
      contrastsOf(
        counts.map((_, cell) => (cell === 0 ? first : 0)),
        sizes,
        () => 0,
      )[0];
    expect(contrasts(cap - 1)).toBe(4096 * (cap - 1));
    expect(contrasts(cap)).toBe(4096 * cap);
    expect(contrasts(cap + 1)).toBe(4096 * cap);
    expect(contrasts(Number.MAX_SAFE_INTEGER)).toBe(4096 * cap);
  });

  it('have noise of the law that was charged: variance sigma^2 prod(1 - 1/n) a cell, rank degrees of freedom', () => {
    // A fixed seed; at 20,000 runs the standard errors are below 1.1% of each number.
    const sizes = [2, 3];
    const [runs, entropy] = [20_000, seededEntropy(11)];
    const counts = Float64Array.of(9, 0, 4, 1, 1, 30);
    const truth = answerFrom(residual('a', 'b'), domainOf(...sizes), counts);
    const [squares, chis] = [new Float64Array(6), [0, 0]];
    let cross = 0;
    for (let run = 0; run < runs; run++) {
      const values = residualOf(noisyContrasts(counts, sizes, rational(9, 4), entropy), sizes);
      const errors = values.map((value, i) => value - truth[i]);
      errors.forEach((error, i) => {
        squares[i] += error ** 2 / runs;
      });
      cross += (errors[0] * errors[1]) / runs;
      const chi = errors.reduce((sum, error) => sum + error ** 2 / 2.25, 0);
      chis[0] += chi / runs;
      chis[1] += chi ** 2 / runs;
    }
    const part = (1 / 2) * (2 / 3);
    for (const variance of squares) expect(variance / (2.25 * part)).toBeCloseTo(1, 1);
    expect(cross / 2.25).toBeCloseTo((1 / 2) * (-1 / 3), 1);
    expect(chis[0] / 2).toBeCloseTo(1, 1);
    expect((chis[1] - chis[0] ** 2) / 4).toBeCloseTo(1, 1);
  });

  it('are refused by public numbers where cells or noise are too many for doubles', () => {
    expect(() => checkContrasts([4096, 1024], rational(1))).not.toThrow();
    expect(() => checkContrasts([4096, 4096], rational(1))).toThrow('residual: its cells times 2^attributes');
    expect(() => checkContrasts([100, 100], rational(10n ** 20n))).toThrow('spend more budget');
  });
});
