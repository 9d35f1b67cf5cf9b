import { describe, expect, test } from 'vitest';
import { oneAct } from '../../experiments/audit/one-act.js';
import { InputError } from '../../src/domain/input-error.js';
import { type Amount, parseAmount, zeroAmount } from '../../src/privacy/accounting/amount.js';
import { type Budget, budgetOf } from '../../src/privacy/accounting/budget.js';
import type { Charge } from '../../src/privacy/accounting/charge.js';
import { BudgetError, type Ledger } from '../../src/privacy/ledger/ledger.js';
import { rational } from '../../src/privacy/rational.js';

/** A ledger that does not exist yet, and a way to open it again as another holder would. */
export interface LedgerPlace {
  create(dataset: string, budget: Budget): Promise<Ledger>;
  reopen(dataset: string): Promise<Ledger>;
}

const tenths = (n: number): Amount => (parseAmount(n) / 10n) as Amount;
const selection = (epsilonTenths: number): Charge => ({ kind: 'exponential', epsilon: rational(epsilonTenths, 10) });

/** What every ledger must do, wherever it keeps its records. */
export const ledgerSuite = (name: string, place: () => Promise<LedgerPlace>): void => {
  const fresh = async (budget: Budget = budgetOf({ epsilon: 1 })) => {
    const where = await place();
    return { where, ledger: await where.create('survey', budget) };
  };

  describe(name, () => {
    test('a new ledger has spent nothing and keeps its budget and dataset for the next holder', async () => {
      const budget = budgetOf({ epsilon: 1, delta: '1e-9' });
      const { where } = await fresh(budget);
      const ledger = await where.reopen('survey');
      expect(ledger.dataset).toBe('survey');
      expect(ledger.currency).toBe('zcdp');
      expect(ledger.budget).toEqual(budget);
      expect(await ledger.status()).toMatchObject({ total: budget.total, spent: zeroAmount, remaining: budget.total });
    });

    test('three tenths can be spent from three tenths, and not a unit more', async () => {
      const { ledger } = await fresh(budgetOf({ epsilon: 0.3 }));
      for (let i = 0; i < 3; i++) {
        const reservation = await oneAct(ledger, { amount: tenths(1), what: 'choose' });
        await reservation.commit([selection(1)]);
      }
      expect((await ledger.status()).remaining).toBe(zeroAmount);
      await expect(oneAct(ledger, { amount: 1n as Amount, what: 'one unit' })).rejects.toThrow(BudgetError);
    });

    test('a refusal says what was asked and what remains, and changes nothing', async () => {
      const { ledger } = await fresh();
      const before = await ledger.status();
      const refusal = await oneAct(ledger, { amount: tenths(11), what: 'too much' }).catch((error) => error);
      expect(refusal).toBeInstanceOf(BudgetError);
      expect(refusal).toBeInstanceOf(InputError);
      expect(refusal).toMatchObject({ asked: tenths(11), remaining: tenths(10) });
      expect(refusal.message).toMatch(/1\.1 asked and epsilon 1 remaining/);
      expect(await ledger.status()).toEqual(before);
    });

    test('a reservation that is never committed counts as spent in full', async () => {
      const { where, ledger } = await fresh();
      await oneAct(ledger, { amount: tenths(7), what: 'crash' });
      const later = await where.reopen('survey');
      expect(await later.status()).toMatchObject({ spent: tenths(7), reserved: tenths(7), remaining: tenths(3) });
      await expect(oneAct(later, { amount: tenths(4), what: 'more' })).rejects.toThrow(BudgetError);
    });

    test('a commit costs what its charges cost, and the rest of the reservation goes back', async () => {
      const { where, ledger } = await fresh();
      const reservation = await oneAct(ledger, { amount: tenths(8), what: 'choose' });
      await reservation.commit([selection(1), selection(2)]);
      const expected = { spent: tenths(3), reserved: zeroAmount, remaining: tenths(7) };
      expect(await ledger.status()).toMatchObject(expected);
      expect(await (await where.reopen('survey')).status()).toMatchObject(expected);
    });

    test('parallel groups are charged as the dearest one', async () => {
      const { ledger } = await fresh();
      const reservation = await oneAct(ledger, { amount: tenths(8), what: 'regions' });
      await reservation.commit([{ kind: 'parallel', groups: [[selection(1)], [selection(2), selection(3)]] }]);
      expect((await ledger.status()).spent).toBe(tenths(5));
    });

    test('charges above the reservation, or none, are refused and the reservation stays in full', async () => {
      const { ledger } = await fresh();
      const reservation = await oneAct(ledger, { amount: tenths(2), what: 'choose' });
      await expect(reservation.commit([selection(3)])).rejects.toThrow(InputError);
      await expect(reservation.commit([])).rejects.toThrow(InputError);
      expect((await ledger.status()).spent).toBe(tenths(2));
    });

    test('Gaussian noise cannot be committed to a pure ledger', async () => {
      const { ledger } = await fresh();
      const reservation = await oneAct(ledger, { amount: tenths(2), what: 'measure' });
      const gaussian: Charge = { kind: 'gaussian', sensitivitySquared: rational(1), sigmaSquared: rational(100) };
      await expect(reservation.commit([gaussian])).rejects.toThrow(InputError);
    });

    test('a reservation under which nothing was read can be given back, once', async () => {
      const { ledger } = await fresh();
      const reservation = await oneAct(ledger, { amount: tenths(9), what: 'stopped early' });
      await reservation.cancelUnread('stopped by Ctrl-C');
      expect(await ledger.status()).toMatchObject({ spent: zeroAmount, remaining: tenths(10), records: 5 });
      await expect(reservation.cancelUnread('again')).rejects.toThrow(InputError);
      await expect(reservation.commit([selection(1)])).rejects.toThrow(InputError);
    });

    test('nothing is committed twice', async () => {
      const { ledger } = await fresh();
      const reservation = await oneAct(ledger, { amount: tenths(2), what: 'choose' });
      await reservation.commit([selection(1)]);
      await expect(reservation.commit([selection(1)])).rejects.toThrow(InputError);
      expect((await ledger.status()).spent).toBe(tenths(1));
    });

    test('many holders at once, each with several requests in flight, spend the budget and no more', async () => {
      const { where } = await fresh();
      const holders = await Promise.all(Array.from({ length: 5 }, () => where.reopen('survey')));
      const asked = holders.flatMap((ledger) =>
        Array.from({ length: 4 }, () => oneAct(ledger, { amount: tenths(1), what: 'one of twenty' })),
      );
      const outcomes = await Promise.allSettled(asked);
      const granted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(granted).toHaveLength(10);
      expect(new Set(granted.map(({ id }) => id)).size).toBe(10);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(BudgetError);
      for (const ledger of holders) expect((await ledger.status()).remaining).toBe(zeroAmount);
    });

    test('every accepted record moves the tip, and holders agree on it', async () => {
      const { where, ledger } = await fresh();
      const tips = [(await ledger.status()).tip];
      const reservation = await oneAct(ledger, { amount: tenths(1), what: 'a' });
      tips.push((await ledger.status()).tip);
      await reservation.commit([selection(1)]);
      tips.push((await ledger.status()).tip);
      expect(new Set(tips).size).toBe(3);
      expect((await (await where.reopen('survey')).status()).tip).toBe(tips[2]);
    });

    test('the ledger of another dataset is refused, by name', async () => {
      const { where } = await fresh();
      await expect(where.reopen('census')).rejects.toThrow(/"census".*"survey"/);
    });

    test('words of every script, quotes and newlines survive in what is recorded', async () => {
      const where = await place();
      const dataset = 'Größe "α"\n東京 \u{1F512}';
      const ledger = await where.create(dataset, budgetOf({ rho: 1 }));
      const reservation = await oneAct(ledger, { amount: tenths(1), what: 'line\nbreak, "hash": "x"}' });
      await reservation.commit([selection(1)]);
      expect((await where.reopen(dataset)).dataset).toBe(dataset);
    });

    test('a reservation of nothing is refused', async () => {
      const { ledger } = await fresh();
      await expect(oneAct(ledger, { amount: zeroAmount, what: 'nothing' })).rejects.toThrow(InputError);
    });
  });
};
