import { InputError } from '../../domain/input-error.js';
import type { Relation } from '../../query/relation.js';
import type { Unit } from '../../source/source.js';
import { type Amount, formatAmount, zeroAmount } from '../accounting/amount.js';
import type { Budget } from '../accounting/budget.js';
import { type Charge, costOfAll, describeAmount } from '../accounting/charge.js';
import { type BoundTable, type Chain, follow, openChain, remainingOf, statusOf } from './chain.js';
import { chargeToJson } from './charge-json.js';
import { BudgetError, type Ledger, type LedgerTerms, type Reservation } from './ledger.js';
import type { Plain } from './plain.js';
import { randomName } from './random-name.js';
import { type LedgerRecord, ledgerFormat, noHash, writeRecord } from './record.js';
import type { LedgerStore } from './store.js';

type Body = { readonly kind: LedgerRecord['kind']; readonly [key: string]: Plain };

const stamp = (body: Body, seq: number, prev: string) =>
  writeRecord({ seq, time: new Date().toISOString(), ...body, nonce: randomName(), prev });

/** What a new ledger is told; it protects a row, whether it is there at all, and takes no noise from a seed unless told so. */
export interface NewLedger {
  readonly budget: Budget;
  /** Public; it binds the ledger to its data. A name that nobody else drew by default. */
  readonly dataset?: string | undefined;
  readonly relation?: Relation | undefined;
  readonly unit?: Unit | undefined;
  readonly seeds?: boolean | undefined;
}

/** The terms of a new ledger, complete. */
export const ledgerTerms = ({ budget, dataset, relation, unit, seeds }: NewLedger): LedgerTerms => {
  if (dataset?.trim() === '') throw new InputError('dataset: must have a name, got an empty one');
  return {
    dataset: dataset ?? `dataset-${randomName().slice(0, 16)}`,
    budget,
    relation: relation ?? 'add-remove',
    unit: unit ?? { kind: 'row', maxRecords: 1 },
    seeds: seeds ?? false,
  };
};

/** The first line of a new ledger. */
export const firstLine = ({ dataset, budget, relation, unit, seeds }: LedgerTerms): Uint8Array<ArrayBuffer> => {
  const { line } = stamp(
    {
      kind: 'open',
      format: ledgerFormat,
      dataset,
      relation,
      unit: unit.kind === 'row' ? { kind: 'row', maxRecords: 1 } : { ...unit },
      seeds: seeds || undefined,
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

/** A ledger that can be told which table it is of, and end runs of others. */
export interface StoredLedger extends Ledger {
  /** Ends a run by its number: one that another process left behind. */
  endRun(run: number, why: string): Promise<void>;
  tables(): Promise<readonly BoundTable[]>;
  bind(table: BoundTable): Promise<void>;
}

/**
 * The ledger kept in `store`. There are no locks. A writer reads to the tip h, checks the rules there, appends one record
 * that points to h, and reads again: the first record in file order that points to h is the next one of the chain, and
 * every other one is void. Whoever lost starts over from the new tip; whoever won makes the record durable before it is
 * acted upon. So each accepted record was checked against exactly the records before it, and the budget cannot be
 * overspent; a writer that dies at any point leaves a whole record (which counts) or a torn one (which does not).
 *
 * Given `dataset`, refuses the ledger of another one.
 */
export const storedLedger = async (
  store: LedgerStore,
  { dataset, durable = true }: { readonly dataset?: string | undefined; readonly durable?: boolean | undefined } = {},
): Promise<StoredLedger> => {
  const bytes = await store.read(0);
  const chain = openChain(store.name, bytes);
  const { terms } = chain;
  if (dataset !== undefined && dataset !== terms.dataset)
    throw new InputError(
      `ledger ${store.name}: must be that of dataset ${JSON.stringify(dataset)}, got ${JSON.stringify(terms.dataset)}; name the ledger of this dataset`,
    );
  follow(chain, bytes);
  const { currency } = terms.budget;
  let open = true;
  const refuseClosed = (): void => {
    if (!open) throw new InputError(`ledger ${store.name}: must be open, got one that was closed; open it anew`);
  };

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

  const checkedCost = (charges: readonly Charge[]): Amount => {
    if (charges.length === 0)
      throw new InputError('commit: must have a charge, got none; cancel a reservation under which nothing was read');
    return costOfAll(charges, currency);
  };

  const isPositive = (amount: Amount): void => {
    if (amount <= zeroAmount) throw new InputError('reservation: must be of a positive amount, got 0');
  };

  const reservation = (id: number, amount: Amount, release: string): Reservation => {
    const unsettled = (at: Chain) => {
      if (!at.acts.has(id)) throw new InputError(`reservation ${id}: must be open, got one that is already settled`);
    };
    return {
      id,
      amount,
      commit: async (charges) => {
        const cost = checkedCost(charges);
        if (cost > amount)
          throw new InputError(
            `reservation ${id}: must cover what was done, got charges of ${describeAmount(cost, currency)} on ${describeAmount(amount, currency)}`,
          );
        const body = { reservation: id, release, amount: formatAmount(cost), charges: charges.map(chargeToJson) };
        await append({ kind: 'commit', ...body }, unsettled);
      },
      cancelUnread: async (why) => {
        await append({ kind: 'cancel', reservation: id, why }, unsettled);
      },
    };
  };

  const leftTo = (at: Chain, id: number): Amount => {
    const run = at.runs.get(id);
    if (run === undefined)
      throw new InputError(
        `run ${id}: must be open, got one that has ended, here or by another process; start the release anew`,
      );
    return run.left;
  };

  const endRun = async (id: number, why: string): Promise<void> => {
    await append({ kind: 'end', run: id, why }, (at) => {
      leftTo(at, id);
    });
  };

  return {
    ...terms,
    currency,
    durable,
    isOpen: () => open,
    close: () => {
      open = false;
    },
    status: () =>
      inTurn(async () => {
        await catchUp();
        return statusOf(chain);
      }),
    run: async ({ amount, what, release, seeded }) => {
      refuseClosed();
      isPositive(amount);
      const body = { amount: formatAmount(amount), what, release, seeded: seeded || undefined };
      const id = await append({ kind: 'run', ...body }, (at) => {
        const remaining = remainingOf(at);
        if (amount > remaining) throw new BudgetError(amount, remaining, currency);
      });
      return {
        id,
        reserve: async (asked) => {
          refuseClosed();
          isPositive(asked.amount);
          const act = { run: id, amount: formatAmount(asked.amount), what: asked.what };
          const seq = await append({ kind: 'reserve', ...act }, (at) => {
            const left = leftTo(at, id);
            if (asked.amount > left) throw new BudgetError(asked.amount, left, currency);
          });
          return reservation(seq, asked.amount, release);
        },
        end: (why) => endRun(id, why),
      };
    },
    endRun,
    tables: () =>
      inTurn(async () => {
        await catchUp();
        return [...chain.tables];
      }),
    bind: async ({ path, file }) => {
      refuseClosed();
      await append({ kind: 'bind', path, file }, () => undefined);
    },
  };
};
