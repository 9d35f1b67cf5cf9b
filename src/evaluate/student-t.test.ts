import { expect, it } from 'vitest';
import { studentQuantile } from './student-t.js';

it.each([
  // Tables of Student's t, two-sided 95% and 99%.
  [0.95, 1, 12.706205],
  [0.95, 2, 4.302653],
  [0.95, 3, 3.182446],
  [0.95, 8, 2.306004],
  [0.95, 19, 2.093024],
  [0.99, 20, 2.84534],
  [0.95, 1000, 1.962339],
])('the quantile at %f with %i degrees of freedom is that of the tables', (probability, freedom, t) => {
  expect(studentQuantile(probability, freedom)).toBeCloseTo(t, 5);
});
