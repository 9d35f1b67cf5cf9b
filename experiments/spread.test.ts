import fc from 'fast-check';
import { expect, it } from 'vitest';
import { combined, spreadOf } from './spread.js';

it('two spreads together are the spread of all their values (1e-9)', () =>
  fc.assert(
    fc.property(
      fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 }),
      (first, second) => {
        const [found, expected] = [combined(spreadOf(first), spreadOf(second)), spreadOf([...first, ...second])];
        expect(found.runs).toBe(expected.runs);
        expect(found.mean).toBeCloseTo(expected.mean, 9);
        expect(found.deviation).toBeCloseTo(expected.deviation, 9);
      },
    ),
    { seed: 1 },
  ));
