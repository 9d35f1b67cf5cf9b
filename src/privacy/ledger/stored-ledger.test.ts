import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneAct } from '../../../experiments/audit/one-act.js';
import { InputError } from '../../domain/input-error.js';
import { seeded } from '../../random/seeded.js';
import { type Amount, addAmounts, parseAmount, zeroAmount } from '../accounting/amount.js';
import { budgetOf } from '../accounting/budget.js';
import { rhoOf } from '../accounting/conversion.js';
import { rational } from '../rational.js';
import { inspectLedger } from './inspect-ledger.js';
import { BudgetError } from './ledger.js';
import { memoryStore } from './memory-ledger.js';
import { firstLine, ledgerTerms } from './new-ledger.js';
import type { LedgerStore } from './store.js';
import { storedLedger } from './stored-ledger.js';

/** A disk that several processes see at once, of which only a synced beginning survives the loss of power. */
const disk = (start: Uint8Array<ArrayBuffer>) => ({ bytes: start, durable: start.length });
type Disk = ReturnType<typeof disk>;

const add = (to: Disk, more: Uint8Array) => {
  const next = new Uint8Array(to.bytes.length + more.length);
  next.set(to.bytes);
  next.set(more, to.bytes.length);
  to.bytes = next;
};

/** A process that stops for ever at its n-th operation: before it, after it, or (an append) within it. */
const mortal = (shared: Disk, seed: number, diesAt: number, part: number) => {
  const random = seeded(seed);
  let operations = 0;
  let die = () => {};
  const dead = new Promise<'dead'>((resolve) => {
    die = () => resolve('dead');
  });
  const never = new Promise<never>(() => {});
  const operate = async <T>(work: () => T, partly: () => void = () => {}): Promise<T> => {
    for (let wait = random.uint32() % 4; wait > 0; wait--) await new Promise((next) => setImmediate(next));
    if (++operations > diesAt) return never;
    if (operations === diesAt) {
      if (part === 2) work();
      if (part === 1) partly();
      die();
      return never;
    }
    return work();
  };
  const store: LedgerStore = {
    name: 'simulated',
    read: (from) => operate(() => shared.bytes.slice(from)),
    append: (bytes) =>
      operate(
        () => {
          add(shared, bytes);
          const end = shared.bytes.length;
          return {
            sync: () =>
              operate(() => {
                shared.durable = Math.max(shared.durable, end);
              }),
            close: async () => {},
          };
        },
        () => add(shared, bytes.subarray(0, random.uint32() % bytes.length)),
      ),
  };
  return { store, dead };
};

test('processes that die anywhere, and a loss of power at the end, never overspend nor lose a granted reservation', async () => {
  const death = fc.record({
    seed: fc.integer({ min: 0, max: 2 ** 31 }),
    diesAt: fc.integer({ min: 1, max: 60 }),
    part: fc.integer({ min: 0, max: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(death, { minLength: 1, maxLength: 5 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (deaths, kept) => {
        const budget = budgetOf({ epsilon: 1 });
        const shared = disk(firstLine(ledgerTerms({ dataset: 'simulated', budget })));
        const amount = parseAmount('0.125');
        const half = parseAmount('0.0625');
        /** What each process really used, by reservation: all of it until it knows that it used half. */
        const used = new Map<number, Amount>();
        const live = async (store: LedgerStore) => {
          const ledger = await storedLedger(store);
          for (;;) {
            try {
              const reservation = await oneAct(ledger, { amount, what: 'turn' });
              used.set(reservation.id, half);
              await reservation.commit([{ kind: 'exponential', epsilon: rational(1, 16) }]);
            } catch (error) {
              if (error instanceof BudgetError) return;
              throw error;
            }
          }
        };
        await Promise.all(
          deaths.map(({ seed, diesAt, part }) => {
            const { store, dead } = mortal(shared, seed, diesAt, part);
            return Promise.race([dead, live(store)]);
          }),
        );
        // Power fails: anything that was never synced may be gone, or gone in part.
        const length = shared.durable + Math.floor(kept * (shared.bytes.length - shared.durable));
        const store = memoryStore(shared.bytes.slice(0, length));
        const { status, entries, damage } = await inspectLedger(store);
        expect(damage).toBeUndefined();
        let sum = zeroAmount;
        for (const one of used.values()) sum = addAmounts(sum, one);
        expect(sum <= status.spent && status.spent <= budget.total).toBe(true);
        const recorded = new Set(
          entries.flatMap((entry) =>
            entry.verdict === 'accepted' && entry.record.kind === 'reserve' ? [entry.record.seq] : [],
          ),
        );
        for (const id of used.keys()) expect(recorded.has(id)).toBe(true);
        // Whatever was left behind, the next process can go on and spend exactly the rest.
        const next = await storedLedger(store);
        if (status.remaining > 0n) await oneAct(next, { amount: status.remaining, what: 'the rest' });
        await expect(oneAct(next, { amount: 1n as Amount, what: 'more' })).rejects.toThrow(BudgetError);
      },
    ),
    { numRuns: 100 },
  );
});

test('a store that forgets a record that was acted upon is caught by the simulation', async () => {
  // The same check on a process that acts before it syncs: the simulation must see the loss, or it could not fail.
  const budget = budgetOf({ epsilon: 1 });
  const shared = disk(firstLine(ledgerTerms({ dataset: 'simulated', budget })));
  const { store } = mortal(shared, 1, 1000, 0);
  const forgetful: LedgerStore = {
    ...store,
    append: async (bytes) => ({ ...(await store.append(bytes)), sync: async () => {} }),
  };
  const reservation = await oneAct(await storedLedger(forgetful), { amount: parseAmount('0.5'), what: 'x' });
  const { status } = await inspectLedger(memoryStore(shared.bytes.slice(0, shared.durable)));
  expect(reservation.amount > status.spent).toBe(true);
});

test('when two writers meet, the later line is void and its writer writes again', async () => {
  const shared = memoryStore(firstLine(ledgerTerms({ dataset: 'race', budget: budgetOf({ epsilon: 1 }) })));
  // Both read before either appends.
  let waiting: (() => void)[] = [];
  let reads = 0;
  const together: LedgerStore = {
    ...shared,
    read: async (from) => {
      const bytes = await shared.read(from);
      // The first two reads open the two ledgers; the next two are those before the appends.
      if (++reads === 3) await new Promise<void>((resolve) => waiting.push(resolve));
      if (reads === 4) {
        for (const go of waiting) go();
        waiting = [];
      }
      return bytes;
    },
  };
  const [a, b] = [await storedLedger(together), await storedLedger(together)];
  const asked = { amount: parseAmount('0.5'), what: 'x', release: '0'.repeat(32), seeded: false };
  const granted = await Promise.all([a, b].map((ledger) => ledger.run(asked)));
  expect(granted.map(({ id }) => id).sort()).toEqual([1, 2]);
  const { entries, status } = await inspectLedger(shared);
  expect(entries.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted', 'void', 'accepted']);
  expect(status.remaining).toBe(zeroAmount);
});

test('tells what is left as an epsilon too, which can be had', () => {
  const delta = '1e-9';
  const said = new BudgetError(rhoOf(parseAmount('1'), delta), rhoOf(parseAmount('0.31'), delta), {
    currency: 'zcdp',
    delta,
  }).message;
  expect(said).toMatch(/got epsilon 1 at delta 1e-9 \(rho [\d.]+\) asked and epsilon 0\.309\d? at delta 1e-9 \(rho/);
  expect(new BudgetError(parseAmount('1'), zeroAmount, { currency: 'zcdp', delta }).message).toContain(
    'asked and epsilon 0 at delta 1e-9 (rho 0) remaining',
  );
  expect(new BudgetError(parseAmount('1'), zeroAmount, { currency: 'pure' }).message).toContain(
    'got epsilon 1 asked and epsilon 0 remaining',
  );
});

test('a total that is raised while others spend grants what it says from its record on, and never less than before', async () => {
  const store = memoryStore(firstLine(ledgerTerms({ budget: budgetOf({ epsilon: 1 }), dataset: 'd' })));
  const raise = async (epsilon: number) => {
    await (await storedLedger(store)).raise({ budget: budgetOf({ epsilon }), why: `to ${epsilon}` });
  };
  const spend = async () => {
    const ledger = await storedLedger(store);
    await ledger.run({ amount: parseAmount('0.4'), what: 'x', release: 'a'.repeat(32), seeded: false });
  };
  const done = await Promise.allSettled([
    spend(),
    raise(2),
    spend(),
    spend(),
    raise(3),
    spend(),
    spend(),
    spend(),
    spend(),
  ]);
  for (const one of done) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(InputError);
  const { damage, status, entries } = await inspectLedger(store);
  expect(damage).toBeUndefined();
  expect(status.total).toBe(parseAmount('3'));
  expect(status.budget).toEqual(budgetOf({ epsilon: 3 }));
  const granted = done.filter(({ status: how }, i) => how === 'fulfilled' && i !== 1 && i !== 4).length;
  expect(status.spent).toBe(parseAmount(String(Math.round(granted * 4) / 10)));
  // The totals that stand in the chain ascend.
  const totals = entries.flatMap(({ verdict, ...entry }) =>
    verdict === 'accepted' && 'record' in entry && entry.record.kind === 'raise' ? [entry.record.total] : [],
  );
  expect(totals).toEqual([...totals].sort((a, b) => (a < b ? -1 : 1)));
  // Who held the ledger open knows the total that others raised.
  const held = await storedLedger(store);
  await raise(4);
  expect((await held.status()).remaining).toBe(status.remaining + parseAmount('1'));
  expect(held.budget.total).toBe(parseAmount('4'));
  await expect(raise(4)).rejects.toThrow(/can only be raised, got epsilon 4 where it is epsilon 4; to spend less/);
});
