import { expect, it } from 'vitest';
import { movingAverageOf } from './moving-average.js';

it('is the mean of a few vectors, and forgets old ones when there are many', () => {
  const average = movingAverageOf(0.75);
  expect(average.value()).toBeUndefined();
  for (const x of [4, 8, 0]) average.add(Float32Array.of(x, -x));
  expect([...average.value()!]).toEqual([4, -4]);
  average.add(Float32Array.of(8, 0));
  expect([...average.value()!]).toEqual([5, -3]);
  // The fifth would count for a fifth in a mean.
  average.add(Float32Array.of(1, 1));
  expect([...average.value()!]).toEqual([4, -2]);
});

it('with half of itself kept it is the moving average from the second on', () => {
  const average = movingAverageOf(0.5);
  for (const x of [8, 4, 2]) average.add(Float32Array.of(x));
  expect([...average.value()!]).toEqual([4]);
});
