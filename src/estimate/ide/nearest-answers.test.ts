import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestAnswers } from './nearest-answers.js';

/** Cells: noisy proportion, present weight (possibly 0), whether a row of the support falls in. */
const cell = fc.record({
  noisy: fc.double({ min: -0.6, max: 1.2, noNaN: true }),
  weight: fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 1, noNaN: true })),
  held: fc.boolean(),
});
const problem = fc
  .record({
    cells: fc.array(cell, { minLength: 1, maxLength: 8 }),
    scale: fc.double({ min: 0.05, max: 2, noNaN: true }),
    outside: fc.double({ min: 0, max: 1, noNaN: true }),
    covers: fc.boolean(),
  })
  .map(({ cells, scale, outside, covers }) => {
    const held = cells.map((each) => (each.held || each.weight > 0 ? 1 : 0));
    const all = cells.reduce((sum, { weight }) => sum + weight, covers ? 0 : outside);
    return {
      noisy: cells.map(({ noisy }) => noisy * scale),
      current: cells.map(({ weight }) => (all > 0 ? weight / all : 0)),
      held,
      covers,
      possible: all > 0,
    };
  })
  .filter(({ possible }) => possible);

const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0);

/** The least L1 distance: cut at zero, and move the surplus or the shortfall of the held cells. */
const leastDistance = ({ noisy, held, covers }: { noisy: number[]; held: number[]; covers: boolean }): number => {
  const cut = noisy.map((value, i) => (held[i] ? Math.max(0, value) : 0));
  const sum = cut.reduce((a, b) => a + b, 0);
  const move = sum > 1 ? sum - 1 : covers ? 1 - sum : 0;
  return distance(cut, noisy) + move;
};

/** Divergence of the cells and of what is outside of them; what has no weight at present does not enter. */
const divergence = (y: ArrayLike<number>, current: readonly number[]): number => {
  const term = (q: number, p: number) => (q > 0 && p > 0 ? q * Math.log(q / p) : 0);
  const outside = 1 - current.reduce((a, b) => a + b, 0);
  const rest = 1 - Array.from(y).reduce((a, b) => a + b, 0);
  return Array.from(y).reduce((sum, q, i) => sum + term(q, current[i]), 0) + term(rest, outside);
};

describe('nearest answers', () => {
  it('are a distribution on the held cells, and no distribution is nearer in L1', () => {
    fc.assert(
      fc.property(problem, (given) => {
        const y = nearestAnswers(given.noisy, given.current, given.held, given.covers);
        const sum = y.reduce((a, b) => a + b, 0);
        y.forEach((value, i) => {
          expect(value).toBeGreaterThanOrEqual(0);
          if (!given.held[i]) expect(value).toBe(0);
        });
        if (given.covers) expect(sum).toBeCloseTo(1, 12);
        else expect(sum).toBeLessThanOrEqual(1 + 1e-12);
        expect(distance(y, given.noisy)).toBeCloseTo(leastDistance(given), 11);
      }),
      { numRuns: 2000 },
    );
  });

  it('are the least divergent of all that are as near: no exchange between two cells stays as near and comes closer', () => {
    // The set of nearest answers is a box cut by one sum, and the divergence is convex and separable, so pairs suffice.
    fc.assert(
      fc.property(problem, fc.constantFrom(1e-2, 1e-4), (given, amount) => {
        const { noisy, current, held, covers } = given;
        const y = nearestAnswers(noisy, current, held, covers);
        const before = divergence(y, current);
        for (let from = 0; from < y.length; from++)
          for (let to = 0; to < y.length; to++) {
            if (from === to || !held[to] || y[from] < amount || current[from] === 0 || current[to] === 0) continue;
            const moved = y.slice();
            moved[from] -= amount;
            moved[to] += amount;
            if (distance(moved, noisy) > distance(y, noisy) + 1e-12) continue;
            expect(divergence(moved, current)).toBeGreaterThanOrEqual(before - 1e-12);
          }
      }),
      { numRuns: 2000 },
    );
  });

  it('give a cell without weight no more than the measured answers demand', () => {
    // The measured answers exceed 1 and cells with weight can take all: the others get nothing.
    expect([...nearestAnswers([0.9, 0.4, 0.5], [0.5, 0.5, 0], [1, 1, 1], true)][2]).toBe(0);
    // Here they cannot.
    const y = nearestAnswers([0.3, 0.4, 0.6], [0.5, 0.5, 0], [1, 1, 1], true);
    expect(y[0]).toBe(0.3);
    expect(y[1]).toBe(0.4);
    expect(y[2]).toBeCloseTo(0.3, 14);
  });

  it('are the measured answers where those are a distribution already', () => {
    expect([...nearestAnswers([0.25, 0.5, 0.25], [0.1, 0.8, 0.1], [1, 1, 1], true)]).toEqual([0.25, 0.5, 0.25]);
    expect([...nearestAnswers([0.25, -0.5], [0.1, 0.1], [1, 1], false)]).toEqual([0.25, 0]);
  });
});
