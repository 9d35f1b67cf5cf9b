import { expect, test } from 'vitest';
import { InputError } from '../../domain/input-error.js';
import { formatAmount, parseAmount } from './amount.js';
import { type BudgetRequest, budgetOf } from './budget.js';
import { epsilonOf, rhoOf } from './conversion.js';

test('epsilon alone is a pure budget, exactly as typed', () => {
  const budget = budgetOf({ epsilon: 0.1 });
  expect(budget).toEqual({ currency: 'pure', total: parseAmount('0.1'), epsilon: parseAmount('0.1') });
});

test('epsilon with delta is the rho that keeps it', () => {
  const budget = budgetOf({ epsilon: '1', delta: '1e-9' });
  expect(budget.currency).toBe('zcdp');
  expect(budget.total).toBe(rhoOf(parseAmount(1), '1e-9'));
  expect(epsilonOf(budget.total, budget.delta!) <= budget.epsilon!).toBe(true);
  expect(budget.delta).toBe('1e-9');
});

test('rho stands for itself, and with a delta states its epsilon', () => {
  expect(budgetOf({ rho: 0.5 })).toEqual({ currency: 'zcdp', total: parseAmount('0.5') });
  expect(formatAmount(budgetOf({ rho: 0.5, delta: 1e-9 }).epsilon!)).toMatch(/^6\.47407002/);
});

test.each([
  {},
  { delta: 1e-9 },
  { epsilon: 1, rho: 1 },
  { epsilon: 0 },
  { epsilon: -1 },
  { epsilon: Number.NaN },
  { epsilon: 'one' },
  { epsilon: 1, delta: 0 },
  { epsilon: 1, delta: 1 },
  { epsilon: 1, delta: -1e-9 },
  { rho: 0 },
  { rho: Number.POSITIVE_INFINITY },
  { rho: 1, delta: 1.5 },
  { epsilon: '1e-30' },
  { epsilon: '1e-12', delta: '1e-300' },
])('a budget that grants nothing or means nothing is refused: %j', (request) =>
  expect(() => budgetOf(request as BudgetRequest)).toThrow(InputError),
);
