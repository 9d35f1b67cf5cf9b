import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestDistribution } from './nearest-distribution.js';

const tables = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 30 });

test('the nearest distribution has the total and no negative cell, and no other one is nearer (its conditions hold to 1e-9)', () => {
  fc.assert(
    fc.property(tables, fc.double({ min: 1e-3, max: 1e4, noNaN: true }), (values, total) => {
      const nearest = nearestDistribution(values, total);
      expect(nearest.reduce((sum, value) => sum + value, 0)).toBeCloseTo(total, 6);
      // Karush-Kuhn-Tucker: y - x equals one constant where x > 0 and is at most that constant where x = 0.
      const held = values.flatMap((value, i) => (nearest[i] > 1e-9 ? [value - nearest[i]] : []));
      const constant = held[0];
      for (const difference of held) expect(difference).toBeCloseTo(constant, 8);
      values.forEach((value, i) => {
        expect(nearest[i]).toBeGreaterThanOrEqual(0);
        if (nearest[i] === 0) expect(value).toBeLessThanOrEqual(constant + 1e-8);
      });
    }),
  );
});

test('counts that already are a distribution stay as they are', () => {
  expect([...nearestDistribution([3, 0, 7], 10)]).toEqual([3, 0, 7]);
});
