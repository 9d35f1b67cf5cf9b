import { InputError } from '../../domain/input-error.js';
import { type Amount, formatAmount, zeroAmount } from '../accounting/amount.js';
import type { Budget } from '../accounting/budget.js';
import { type Charge, costOfAll, describeAmount } from '../accounting/charge.js';
import { type Chain, follow, openChain, remainingOf, statusOf } from './chain.js';
import { chargeToJson } from './charge-json.js';
import { BudgetError, type Json, type Ledger, type Reservation } from './ledger.js';
import { ledgerFormat, noHash, writeRecord } from './record.js';
import type { LedgerStore } from './store.js';

type Body = { readonly kind: string; readonly [key: string]: Json | undefined };

const nonce = (): string => {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};

const stamp = (body: Body, seq: number, prev: string) =>
  writeRecord({ seq, time: new Date().toISOString(), ...body, nonce: nonce(), prev });

/** The first line of a new ledger. The dataset's name must be a public one; it binds the ledger to its data. */
export const firstLine = (dataset: string, budget: Budget): Uint8Array<ArrayBuffer> => {
  if (dataset.trim() === '') throw new InputError('dataset: must have a name, got an empty one');
  const { line } = stamp(
    {
      kind: 'open',
      format: ledgerFormat,
      dataset,
      currency: budget.currency,
      total: formatAmount(budget.total),
      epsilon: budget.epsilon === undefined ? undefined : formatAmount(budget.epsilon),
      delta: budget.delta,
    },
    0,
    noHash,
  );
  return line;
};

/** Tries before giving up on a ledger that others write all the time: minutes, not seconds. */
const mostTries = 2000;

/** A random wait, up to twice as long after each lost race and at most 64 ms: writers spread out. */
const pause = (tries: number): Promise<void> => {
  const [word] = globalThis.crypto.getRandomValues(new Uint32Array(1));
  return new Promise((resolve) => setTimeout(resolve, (word / 2 ** 32) * Math.min(64, 2 ** tries)));
};

/**
 * The ledger kept in `store`. There are no locks. A writer reads to the tip h, checks the rules there, appends one record
 * that points to h, and reads again: the first record in file order that points to h is the next one of the chain, and
 * every other one is void. Whoever lost starts over from the new tip; whoever won makes the record durable before it is
 * acted upon. So each accepted record was checked against exactly the records before it, and the budget cannot be
 * overspent; a writer that dies at any point leaves a whole record (which counts) or a torn one (which does not).
 *
 * Given `dataset`, refuses the ledger of another one.
 */
export const storedLedger = async (store: LedgerStore, dataset?: string): Promise<Ledger> => {
  const bytes = await store.read(0);
  const chain = openChain(store.name, bytes);
  if (dataset !== undefined && dataset !== chain.dataset)
    throw new InputError(
      `ledger ${store.name}: must be that of dataset ${JSON.stringify(dataset)}, got ${JSON.stringify(chain.dataset)}; name the ledger of this dataset`,
    );
  follow(chain, bytes);
  const { budget } = chain;
  const { currency } = budget;

  // Work on one object goes one after the other, so that `chain` has one writer.
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  };
  const catchUp = async () => follow(chain, await store.read(chain.tipStart));

  /** Appends `body` as an accepted, durable record and gives its number; `check` throws when the rules forbid it. */
  const append = (body: Body, check: (chain: Chain) => void): Promise<number> =>
    inTurn(async () => {
      for (let tries = 0; tries < mostTries; tries++) {
        await catchUp();
        check(chain);
        const seq = chain.seq + 1;
        const { line, hash } = stamp(body, seq, chain.tip);
        // The newline comes first: it ends whatever a writer that died may have left unfinished.
        const written = new Uint8Array(line.length + 1);
        written[0] = 0x0a;
        written.set(line, 1);
        const appended = await store.append(written);
        try {
          await catchUp();
          if (chain.hashes.has(hash)) {
            await appended.sync();
            return seq;
          }
        } finally {
          await appended.close();
        }
        await pause(tries);
      }
      throw new InputError(`ledger ${store.name}: must have a quiet moment, got too many writers; try again later`);
    });

  const isOpen = (id: number) => (at: Chain) => {
    if (!at.open.has(id)) throw new InputError(`reservation ${id}: must be open, got one that is already settled`);
  };

  const reservation = (id: number, amount: Amount): Reservation => ({
    id,
    amount,
    commit: async ({ charges, detail }) => {
      const cost = checkedCost(charges);
      if (cost > amount)
        throw new InputError(
          `reservation ${id}: must cover what was done, got charges of ${describeAmount(cost, currency)} on ${describeAmount(amount, currency)}`,
        );
      const body = {
        kind: 'commit',
        reservation: id,
        amount: formatAmount(cost),
        charges: charges.map(chargeToJson),
        detail,
      };
      await append(body, isOpen(id));
    },
    cancelUnread: async (why) => {
      await append({ kind: 'cancel', reservation: id, why }, isOpen(id));
    },
  });

  const checkedCost = (charges: readonly Charge[]): Amount => {
    if (charges.length === 0)
      throw new InputError('commit: must have a charge, got none; cancel a reservation under which nothing was read');
    return costOfAll(charges, currency);
  };

  return {
    dataset: chain.dataset,
    budget,
    currency,
    status: () =>
      inTurn(async () => {
        await catchUp();
        return statusOf(chain);
      }),
    reserve: async ({ amount, what }) => {
      if (amount <= zeroAmount) throw new InputError('reservation: must be of a positive amount, got 0');
      const id = await append({ kind: 'reserve', amount: formatAmount(amount), what }, (at) => {
        const remaining = remainingOf(at);
        if (amount > remaining) throw new BudgetError(amount, remaining, currency);
      });
      return reservation(id, amount);
    },
  };
};
