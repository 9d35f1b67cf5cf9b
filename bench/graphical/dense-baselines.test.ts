import { expect, test } from 'vitest';
import { denseLeastSquares } from './dense-baselines.js';

test('least squares of four attributes comes to the residual that no vector beats', () => {
  // Two triples that share two attributes: whatever they disagree on in the shared pair stays, half on each side, spread over 10 cells.
  const tables = [3, 7].map((seed) => Float64Array.from({ length: 1000 }, (_, i) => Math.sin(seed * (i + 1))));
  const shared = [new Float64Array(100), new Float64Array(100)];
  for (let i = 0; i < 1000; i++) {
    shared[0][i % 100] += tables[0][i];
    shared[1][Math.floor(i / 10)] += tables[1][i];
  }
  const least = Math.sqrt(shared[0].reduce((sum, value, i) => sum + (value - shared[1][i]) ** 2 / 20, 0));
  expect(denseLeastSquares(tables, 5).residual).toBeCloseTo(least, 6);
});
