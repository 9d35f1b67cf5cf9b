import { describe, expect, it } from 'vitest';
import {
  type Amount,
  amountToNumber,
  formatAmount,
  parseAmount,
  zeroAmount,
} from '../src/privacy/accounting/amount.js';
import { budgetOf, gdpBudget } from '../src/privacy/accounting/budget.js';
import { costOfAll } from '../src/privacy/accounting/charge.js';
import { exactEpsilonOf } from '../src/privacy/accounting/exact/exact-epsilon.js';
import { gdpEpsilonOf } from '../src/privacy/accounting/gdp-conversion.js';
import { seededEntropy } from '../src/privacy/entropy.js';
import { inspectLedger } from '../src/privacy/ledger/inspect-ledger.js';
import { BudgetError } from '../src/privacy/ledger/ledger.js';
import { memoryLedger, memoryStore } from '../src/privacy/ledger/memory-ledger.js';
import { firstLine, ledgerTerms } from '../src/privacy/ledger/new-ledger.js';
import { stampRecord } from '../src/privacy/ledger/record/stamp-record.js';
import { storedLedger } from '../src/privacy/ledger/stored-ledger.js';
import { openSession } from '../src/privacy/session/open-session.js';
import { fixedCharges } from '../src/privacy/session/statement.js';
import { marginal } from '../src/query/marginal.js';
import { residual } from '../src/query/residual.js';
import { plainDomain, plainSource } from './support/plain-source.js';

const stated = { epsilon: 1, delta: '1e-9' } as const;
const inGdp = { ...stated, accounting: 'gdp' } as const;
const inRho = { ...stated, accounting: 'zcdp' } as const;
const part = { epsilon: '0.2', delta: '1e-9' } as const;
const domain = plainDomain([2, 3]);
const source = () =>
  plainSource(domain, [
    [0, 1],
    [1, 2],
  ]);
const asked = [marginal('a'), marginal('a', 'b')];
const release = (digit: string) => digit.repeat(32);

const opened = async (
  budget: Parameters<typeof openSession>[0]['budget'],
  ledger = memoryLedger(budgetOf(stated), 'plain'),
) => openSession({ source: source(), budget, ledger: await ledger, entropy: seededEntropy(1) });

describe('a release that is counted in gdp', () => {
  it('has all of an (epsilon, delta) to spend, with less noise, and states both losses of what it did', async () => {
    const session = await opened(inGdp);
    const other = await opened(inRho);
    const [exact, rough] = [session.preview(asked, 1), other.preview(asked, 1)];
    // About one record of variance is the grain of counts.
    for (const [q, { scale }] of exact.entries()) expect(scale ** 2 - 1).toBeLessThan(rough[q].scale ** 2 * 0.905);
    await session.measure(asked, 1);
    await other.measure(asked, 1);
    const charges = session.acts().flatMap((act) => act.charges);
    const statement = session.statement();
    expect(statement).toMatchObject({ currency: 'gdp', delta: '1e-9' });
    expect(statement.spent).toBe(formatAmount(costOfAll(charges, 'gdp')));
    expect(statement.rho).toBe(formatAmount(costOfAll(charges, 'zcdp')));
    // One act: told by its own losses, which are below what its gdp stands for by the grain of counts.
    expect(statement.epsilon).toBe(formatAmount(exactEpsilonOf(charges, zeroAmount, '1e-9')));
    expect(Number(statement.epsilon)).toBeLessThanOrEqual(1);
    expect(Number(statement.epsilon)).toBeGreaterThan(0.99);
    expect(statement.text).toContain(`${statement.rho}-zCDP`);
    expect(other.statement()).toMatchObject({ currency: 'zcdp' });
    expect(other.statement().rho).toBeUndefined();
  });

  it('is told by the losses of its first act, and by the gdp of what came after and may have followed from it', async () => {
    const session = await opened(inGdp);
    await session.measure([marginal('a')], 0.5);
    await session.measure([marginal('b')], 0.5);
    const [first, second] = session.acts().map(({ charges }) => charges);
    const all = [...first, ...second];
    const told = parseAmount(session.statement().epsilon!);
    expect(told).toBe(exactEpsilonOf(first, costOfAll(second, 'gdp'), '1e-9'));
    expect(told).toBeLessThan(gdpEpsilonOf(costOfAll(all, 'gdp'), '1e-9'));
    expect(told).toBeGreaterThan(exactEpsilonOf(all, zeroAmount, '1e-9'));
    // Groups that were opened before the first act that was told of: nothing is taken for fixed.
    const late = [
      { reservation: 3, charges: first },
      { reservation: 2, charges: second },
    ];
    expect([fixedCharges(late), fixedCharges([...late].reverse()), fixedCharges([])]).toEqual([0, 1, 0]);
  });

  it('prices residuals too, on their finer grid, within what is left', async () => {
    const session = await opened(inGdp);
    await session.measure([residual('a'), residual('a', 'b'), marginal()], 1);
    expect(session.statement().currency).toBe('gdp');
    expect(Number(session.statement().epsilon)).toBeLessThanOrEqual(1);
  });

  it('may choose and add Laplace noise: it costs pi/2 as much as in rho', async () => {
    const session = await opened(inGdp);
    const candidates = asked.map((query, q) => ({ query, reference: new Float64Array(q === 0 ? 2 : 6) }));
    await session.select(candidates, 0.3);
    await session.largestError(candidates, 0.3);
    const charges = session.acts().flatMap((act) => act.charges);
    const [gdp, rho] = (['gdp', 'zcdp'] as const).map((currency) => amountToNumber(costOfAll(charges, currency)));
    expect(gdp / rho).toBeCloseTo(Math.PI / 2, 2);
    expect(gdp / rho).toBeGreaterThan(Math.PI / 2);
  });
});

describe('a ledger of (epsilon, delta)', () => {
  const ledgerOn = async () => {
    const store = memoryStore(firstLine(ledgerTerms({ budget: budgetOf(stated), dataset: 'plain', seeds: true })));
    return { store, ledger: await storedLedger(store, { durable: false }) };
  };

  it('counts in gdp from its first run on, if that is, and keeps the rho beside it', async () => {
    const { store, ledger } = await ledgerOn();
    expect(ledger.budget).toMatchObject({ currency: 'zcdp', either: true });
    const session = await opened({ ...part, accounting: 'gdp' }, Promise.resolve(ledger));
    await session.measure(asked, 1);
    await session.close();
    expect(ledger.currency).toBe('gdp');
    const total = gdpBudget(budgetOf(stated))!.total;
    const { status, damage } = await inspectLedger(store);
    expect(damage).toBeUndefined();
    expect(status).toMatchObject({ total, budget: { currency: 'gdp', epsilon: parseAmount(1) } });
    const charges = session.acts().flatMap((act) => act.charges);
    expect(status.spent).toBe(costOfAll(charges, 'gdp'));
    expect(status.rho).toBe(costOfAll(charges, 'zcdp'));
    // Who says nothing is counted as the ledger counts; who insists on rho, or needs it, is refused before anything is read.
    const next = await opened(part, Promise.resolve(ledger));
    expect(next.budget.currency).toBe('gdp');
    await next.measure(asked, 1);
    await expect(opened(inRho, Promise.resolve(ledger))).rejects.toThrow('counts gdp');
    await expect(opened({ rho: 0.001 }, Promise.resolve(ledger))).rejects.toThrow('counts gdp');
    const pure = await opened({ epsilon: '0.01' }, Promise.resolve(ledger));
    await pure.measure(asked, 1);
    expect((await inspectLedger(store)).damage).toBeUndefined();
  });

  it('counts in rho from its first run on otherwise', async () => {
    const { ledger } = await ledgerOn();
    const session = await opened(part, Promise.resolve(ledger));
    expect(session.budget.currency).toBe('zcdp');
    await session.measure(asked, 1);
    expect(ledger.budget).toMatchObject({ currency: 'zcdp', either: undefined });
    await expect(opened(inGdp, Promise.resolve(ledger))).rejects.toThrow('counts rho');
  });

  it('is kept by one of the two, whoever is first: the other is refused and nothing is spent', async () => {
    const { store, ledger } = await ledgerOn();
    const elsewhere = await storedLedger(store, { durable: false });
    const late = await opened({ ...part, accounting: 'gdp' }, Promise.resolve(elsewhere));
    const first = await opened(part, Promise.resolve(ledger));
    await first.measure(asked, 0.5);
    await expect(late.measure(asked, 1)).rejects.toThrow('counts rho');
    const { status, damage } = await inspectLedger(store);
    expect(damage).toBeUndefined();
    expect(status.budget.currency).toBe('zcdp');
  });

  it('holds no more than its gdp, and is damaged by a run that is counted otherwise', async () => {
    const { store, ledger } = await ledgerOn();
    const total = gdpBudget(budgetOf(stated))!.total;
    const over = { amount: (total + 1n) as Amount, what: 'a release', seeded: true, currency: 'gdp' as const };
    await expect(ledger.run({ ...over, release: release('a') })).rejects.toThrow(BudgetError);
    expect((await ledger.status()).budget.currency).toBe('zcdp');
    await ledger.run({ ...over, amount: total, release: release('b') });
    expect((await ledger.status()).remaining).toBe(0n);
    expect((await inspectLedger(store)).damage).toBeUndefined();
    // The same run behind an opening that promises rho.
    for (const [budget, accounting] of [
      [inRho, 'gdp'],
      [inGdp, undefined],
    ] as const) {
      const first = firstLine(ledgerTerms({ budget: budgetOf(budget), dataset: 'plain', seeds: true }));
      const { hash } = JSON.parse(new TextDecoder().decode(first));
      const body = {
        kind: 'run' as const,
        amount: '0.001',
        what: 'a release',
        release: release('d'),
        accounting,
        seeded: true,
      };
      const { line } = stampRecord(body, 1, hash);
      const forged = memoryStore(new Uint8Array([...first, 10, ...line]));
      expect((await inspectLedger(forged)).damage).toMatchObject({
        line: 2,
        why: 'it is not counted as the ledger is',
      });
    }
  });

  it('is not counted in gdp when it was stated in rho, made for rho, or raised', async () => {
    for (const budget of [budgetOf({ rho: '0.01', delta: '1e-9' }), budgetOf(inRho), budgetOf({ epsilon: 1 })])
      expect(budget.either).toBeUndefined();
    const { ledger } = await ledgerOn();
    await ledger.raise({ budget: budgetOf({ epsilon: 2, delta: '1e-9' }), why: 'a test' });
    expect(ledger.budget).toMatchObject({ currency: 'zcdp', either: undefined });
    const rho = await storedLedger(
      memoryStore(firstLine(ledgerTerms({ budget: budgetOf(inRho), dataset: 'plain', seeds: true }))),
      { durable: false },
    );
    await expect(opened(inGdp, Promise.resolve(rho))).rejects.toThrow('counts rho');
    await expect(
      rho.run({ amount: 1n as Amount, what: 'x', release: release('c'), seeded: true, currency: 'gdp' }),
    ).rejects.toThrow('counts rho');
  });

  it('can be raised in gdp when it counts so', async () => {
    const { ledger } = await ledgerOn();
    await (await opened({ ...part, accounting: 'gdp' }, Promise.resolve(ledger))).measure(asked, 1);
    await expect(ledger.raise({ budget: budgetOf({ epsilon: 2, delta: '1e-9' }), why: 'a test' })).rejects.toThrow(
      'gdp',
    );
    await ledger.raise({ budget: budgetOf({ epsilon: 2, delta: '1e-9', accounting: 'gdp' }), why: 'a test' });
    expect((await ledger.status()).total).toBe(budgetOf({ epsilon: 2, delta: '1e-9', accounting: 'gdp' }).total);
  });
});
