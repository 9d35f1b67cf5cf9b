import { expect, it } from 'vitest';
import { plainDomain, plainSource, type Row } from '../../../test/support/plain-source.js';
import { marginal } from '../../query/marginal.js';
import { budgetOf } from '../accounting/budget.js';
import { costOfAll } from '../accounting/charge.js';
import { seededEntropy } from '../entropy.js';
import { memoryLedger } from '../ledger/memory-ledger.js';
import { openSession } from './open-session.js';
import { restOf } from './rest-of.js';
import type { Session } from './session.js';

const domain = plainDomain([3, 4]);
const rows: Row[] = Array.from({ length: 50 }, (_, i) => [i % 3, i % 4]);

const sessionFor = async (budget: { epsilon: number; delta?: number }): Promise<Session> =>
  openSession({
    source: plainSource(domain, rows),
    budget: budget as { epsilon: number },
    ledger: await memoryLedger(budgetOf(budget as { epsilon: number }), 'plain'),
    entropy: seededEntropy(1),
  });

const budgets = [{ epsilon: 1 }, { epsilon: 1, delta: 1e-9 }];

it.each(budgets)('charges what the session would for the same part of the whole: %o', async (budget) => {
  const [direct, through] = [await sessionFor(budget), await sessionFor(budget)];
  for (const session of [direct, through]) await session.total(0.2);
  const rest = restOf(through);
  const whole = through.remaining;
  expect(rest.remaining).toBe(1);
  const acts = async (session: Session, part: number) => {
    const reference = new Float64Array(3);
    const noise = session.preview([marginal('a')], 0.25 * part);
    const [{ noise: added }] = await session.measure([marginal('a')], 0.25 * part);
    expect(noise[0]).toEqual(added);
    await session.select([{ query: marginal('a'), reference }], 0.125 * part);
    await session.selectCell([{ query: marginal('a'), reference }], 0.125 * part);
    await session.largestError([{ query: marginal('a'), reference }], 0.125 * part);
    await session.partition(['b'], 0.25 * part, async (groups) => {
      for (const group of groups) await group.total(1);
    });
  };
  await acts(direct, whole);
  await acts(rest, 1);
  expect(through.acts()).toEqual(direct.acts());
  expect(through.statement()).toEqual({ ...direct.statement() });
  expect(rest.remaining).toBeCloseTo(through.remaining / whole, 9);
});

it.each(budgets)('lets everything be spent and nothing more: %o', async (budget) => {
  for (const first of [0.1, 1 / 3, 0.7]) {
    const session = await sessionFor(budget);
    await session.total(first);
    const rest = restOf(session);
    for (let i = 0; i < 7; i++) await rest.measure([marginal('a')], 1 / 7);
    // What rounding left can be spent, and is no whole share.
    await expect(rest.measure([marginal('a')], 0.01)).rejects.toThrow(/budget/);
    const { currency, total } = session.budget;
    const charges = session.acts().flatMap((act) => act.charges);
    expect(costOfAll(charges, currency) <= total).toBe(true);
    expect(rest.remaining).toBeLessThan(1e-5);
  }
});
