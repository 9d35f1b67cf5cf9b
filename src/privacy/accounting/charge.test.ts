import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../domain/input-error.js';
import { rational } from '../rational.js';
import { formatAmount, parseAmount } from './amount.js';
import { type Charge, costOf, costOfAll } from './charge.js';

const rationals = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 6n }), fc.bigInt({ min: 1n, max: 10n ** 6n }))
  .map(([n, d]) => rational(n, d));

const charges: fc.Arbitrary<Charge> = fc.oneof(
  fc.record({ kind: fc.constant('laplace' as const), sensitivity: rationals, scale: rationals }),
  fc.record({ kind: fc.constant('exponential' as const), epsilon: rationals }),
  fc.record({ kind: fc.constant('permute-and-flip' as const), epsilon: rationals }),
  fc.record({
    kind: fc.constant('exponential-draws' as const),
    epsilon: rationals,
    draws: fc.integer({ min: 1, max: 500 }).map((draws) => rational(draws)),
  }),
);

const cost = (charge: Charge, currency: 'pure' | 'zcdp') => formatAmount(costOf(charge, currency));

test('primitives cost what their theorems say', () => {
  // 2 / (2 * 9), 3/2 over 6, and epsilon 1/2 by hand.
  const gaussian: Charge = { kind: 'gaussian', sensitivitySquared: rational(2), sigmaSquared: rational(9) };
  expect(cost(gaussian, 'zcdp')).toBe('0.111111111111111112');
  const laplace: Charge = { kind: 'laplace', sensitivity: rational(3, 2), scale: rational(6) };
  expect(cost(laplace, 'pure')).toBe('0.25');
  expect(cost(laplace, 'zcdp')).toBe('0.03125');
  expect(cost({ kind: 'exponential', epsilon: rational(1, 2) }, 'pure')).toBe('0.5');
  expect(cost({ kind: 'exponential', epsilon: rational(1, 2) }, 'zcdp')).toBe('0.03125');
  expect(cost({ kind: 'permute-and-flip', epsilon: rational(1, 2) }, 'pure')).toBe('0.5');
  expect(cost({ kind: 'permute-and-flip', epsilon: rational(1, 2) }, 'zcdp')).toBe('0.125');
});

test('a cost is the exact loss rounded up by less than 1e-18', () => {
  fc.assert(
    fc.property(rationals, rationals, (sensitivitySquared, sigmaSquared) => {
      const units = costOf({ kind: 'gaussian', sensitivitySquared, sigmaSquared }, 'zcdp');
      const top = sensitivitySquared.numerator * sigmaSquared.denominator * 10n ** 18n;
      const bottom = 2n * sensitivitySquared.denominator * sigmaSquared.numerator;
      expect(units * bottom >= top && (units - 1n) * bottom < top).toBe(true);
    }),
  );
});

test('Gaussian noise has no pure cost', () => {
  const gaussian: Charge = { kind: 'gaussian', sensitivitySquared: rational(1), sigmaSquared: rational(1) };
  expect(() => costOf(gaussian, 'pure')).toThrow(InputError);
  expect(() => costOf({ kind: 'parallel', groups: [[gaussian]] }, 'pure')).toThrow(InputError);
});

test('charges in sequence add exactly, in any order', () => {
  fc.assert(
    fc.property(fc.array(charges, { maxLength: 20 }), fc.constantFrom('pure' as const, 'zcdp' as const), (list, c) => {
      const sum = list.map((charge) => costOf(charge, c)).reduce<bigint>((a, b) => a + b, 0n);
      expect(costOfAll(list, c)).toBe(sum);
      expect(costOfAll([...list].reverse(), c)).toBe(sum);
    }),
  );
  const tenth: Charge = { kind: 'exponential', epsilon: rational(1, 10) };
  expect(costOfAll([tenth, tenth, tenth], 'pure')).toBe(parseAmount('0.3'));
});

test('disjoint groups cost as much as the dearest one, and never more than in sequence', () => {
  fc.assert(
    fc.property(fc.array(fc.array(charges, { maxLength: 4 }), { maxLength: 6 }), (groups) => {
      const parallel = costOf({ kind: 'parallel', groups }, 'zcdp');
      const each = groups.map((group) => costOfAll(group, 'zcdp'));
      expect(each.every((one) => one <= parallel)).toBe(true);
      expect(parallel === 0n || each.includes(parallel)).toBe(true);
      expect(parallel <= costOfAll(groups.flat(), 'zcdp')).toBe(true);
    }),
  );
});

test('a scale or sensitivity that is not positive is refused', () => {
  const zero = { numerator: 0n, denominator: 1n };
  expect(() => costOf({ kind: 'laplace', sensitivity: zero, scale: rational(1) }, 'pure')).toThrow(InputError);
  expect(() => costOf({ kind: 'exponential', epsilon: { numerator: -1n, denominator: 1n } }, 'pure')).toThrow(
    InputError,
  );
  expect(() => costOf({ kind: 'gaussian', sensitivitySquared: rational(1), sigmaSquared: zero }, 'zcdp')).toThrow(
    InputError,
  );
});
