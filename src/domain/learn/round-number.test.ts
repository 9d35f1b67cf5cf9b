import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundNumber } from './round-number.js';

test('the roundest number is the one a person would pick', () => {
  const cases: [number, number, number][] = [
    [2195.3, 2872.7, 2500],
    [0.21, 0.34, 0.3],
    [-8700, -4700, -5000],
    [-3, 4, 0],
    [93, 96, 95],
    [0, 0.00037, 0.0002],
  ];
  for (const [low, high, round] of cases) expect(roundNumber(low, high)).toBe(round);
});

test('it lies above low and up to high, and is whole where asked', () => {
  const real = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(real, real, (a, b) => {
      fc.pre(a !== b);
      const [low, high] = a < b ? [a, b] : [b, a];
      const x = roundNumber(low, high);
      expect(x > low && x <= high).toBe(true);
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (a, b) => {
      fc.pre(a !== b);
      const x = roundNumber(Math.min(a, b), Math.max(a, b), true);
      expect(Number.isInteger(x) && x > Math.min(a, b) && x <= Math.max(a, b)).toBe(true);
    }),
  );
});
