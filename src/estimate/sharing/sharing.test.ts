import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { domainOf } from '../../domain/domain-of.js';
import { canShare, mostLonger, type SharedAxis, shareAlong, sharedAxes } from './sharing.js';

const axes = fc
  .record({
    outer: fc.integer({ min: 1, max: 3 }),
    ordered: fc.integer({ min: 8, max: 20 }),
    others: fc.integer({ min: 0, max: 2 }),
    inner: fc.integer({ min: 1, max: 3 }),
    own: fc.constantFrom(0.5, 1, 8, 64),
  })
  .map(({ outer, others, ...axis }) => ({ outer, axis: { ...axis, size: axis.ordered + others } }));

/** The same as a matrix: weights 1, 2, 4, ... for lengths 2, 4, 8, ... up to half of the cells. */
const near = ({ ordered, own }: SharedAxis, i: number, j: number): number => {
  if (i >= ordered || j >= ordered) return i === j ? 1 : 0;
  let [sum, weights] = [i === j ? own : 0, own];
  for (let length = 2; length <= ordered / 2; length *= 2) {
    sum += (length / 2) * Math.exp(-Math.abs(i - j) / length);
    weights += length / 2;
  }
  return sum / weights;
};

/** Without means before and after, beside what is even. */
const matrixOf = (axis: SharedAxis): number[][] => {
  const cells = Array.from({ length: axis.size }, (_, i) => i);
  const rows = cells.map((i) => cells.map((j) => near(axis, i, j)));
  const mean = (list: readonly number[]): number => list.reduce((sum, each) => sum + each, 0) / axis.size;
  const [across, all] = [rows.map(mean), mean(rows.map(mean))];
  return cells.map((i) => cells.map((j) => rows[i][j] - across[i] - across[j] + all + 1 / axis.size));
};

const tableOf = (cells: number, seed: number): Float64Array =>
  Float64Array.from({ length: cells }, (_, i) => Math.sin(seed + 12.9898 * i) * 43.7 + ((seed * i) % 7));

describe('steps that are shared along an axis', () => {
  it('are what the matrix says', () => {
    fc.assert(
      fc.property(axes, fc.integer({ min: 1, max: 1000 }), ({ outer, axis }, seed) => {
        const { size, inner } = axis;
        const given = tableOf(outer * size * inner, seed);
        const shared = given.slice();
        shareAlong(shared, axis);
        const matrix = matrixOf(axis);
        for (let o = 0; o < outer; o++)
          for (let i = 0; i < size; i++)
            for (let at = 0; at < inner; at++) {
              let sum = 0;
              for (let j = 0; j < size; j++) sum += matrix[i][j] * given[(o * size + j) * inner + at];
              expect(shared[(o * size + i) * inner + at]).toBeCloseTo(sum, 9);
            }
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it('point the same way as they did, and are longer by no more than the bound', () => {
    fc.assert(
      fc.property(axes, fc.integer({ min: 1, max: 1000 }), ({ outer, axis }, seed) => {
        const given = tableOf(outer * axis.size * axis.inner, seed);
        const shared = given.slice();
        shareAlong(shared, axis);
        const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i], 0);
        expect(dot(given, shared)).toBeGreaterThan(0);
        expect(dot(shared, shared)).toBeLessThanOrEqual(mostLonger(axis) ** 2 * dot(given, given));
      }),
      { seed: 2, numRuns: 60 },
    );
    const axis = { size: 40, ordered: 40, inner: 1, own: 1 };
    const even = new Float64Array(40).fill(1);
    shareAlong(even, axis);
    expect([...even].every((each) => Math.abs(each - 1) < 1e-12)).toBe(true);
    const slow = Float64Array.from({ length: 40 }, (_, i) => Math.cos((Math.PI * (i + 0.5)) / 40));
    const before = Math.hypot(...slow);
    shareAlong(slow, axis);
    expect(Math.hypot(...slow)).toBeGreaterThan(0.4 * mostLonger(axis) * before);
  });
});

test('axes are those of attributes that share, with their places in a row-major table', () => {
  const domain = domainOf([
    { type: 'integer', name: 'age', min: 0, max: 9, null: true },
    { type: 'category', name: 'sex', values: ['f', 'm'] },
    { type: 'category', name: 'size', values: [...'abcdefgh'], ordered: true, other: 'other' },
    { type: 'category', name: 'town', values: [...'abcdefghij'] },
    { type: 'integer', name: 'few', min: 0, max: 6 },
  ]);
  expect(domain.attributes.filter(({ name }) => canShare(domain, name)).map(({ name }) => name)).toEqual([
    'age',
    'size',
  ]);
  const sharing = new Map([
    ['age', 1],
    ['size', 8],
  ]);
  expect(sharedAxes(domain, ['age', 'sex', 'size'], sharing)).toEqual([
    { size: 9, ordered: 8, inner: 1, own: 32 },
    { size: 11, ordered: 10, inner: 18, own: 4 },
  ]);
  expect(sharedAxes(domain, ['age'], sharing)).toEqual([{ size: 11, ordered: 10, inner: 1, own: 1 }]);
  expect(sharedAxes(domain, ['sex', 'town'], sharing)).toEqual([]);
});
