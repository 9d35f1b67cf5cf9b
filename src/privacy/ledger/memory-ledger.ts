import { InputError } from '../../domain/input-error.js';
import type { Budget } from '../accounting/budget.js';
import type { Ledger } from './ledger.js';
import { firstLine, ledgerTerms, type NewLedger } from './new-ledger.js';
import type { LedgerStore } from './store.js';
import { storedLedger } from './stored-ledger.js';

/** A store in memory: for tests, and for a page that keeps its ledger elsewhere. It lasts as long as the object. */
export const memoryStore = (bytes: Uint8Array<ArrayBuffer> = new Uint8Array()): LedgerStore => {
  let all = bytes;
  return {
    name: 'in memory',
    read: async (from) => {
      if (from > all.length) throw new InputError('ledger in memory: must only grow, got a shorter one');
      return all.slice(from);
    },
    append: async (more) => {
      const next = new Uint8Array(all.length + more.length);
      next.set(all);
      next.set(more, all.length);
      all = next;
      return { sync: async () => {}, close: async () => {} };
    },
  };
};

/**
 * A ledger in memory. It forgets when the program ends, so what it promises holds for this run only: the budget of a real
 * dataset belongs in a file. It takes noise from a seed too, since it vouches for nothing beyond the program.
 *
 * @example
 * ```ts
 * const ledger = await memoryLedger(budgetOf({ epsilon: 1, delta: 1e-9 }), 'survey-2024');
 * ```
 */
export const memoryLedger = (
  budget: Budget,
  dataset = 'in memory',
  terms: Omit<NewLedger, 'budget' | 'dataset' | 'seeds'> = {},
): Promise<Ledger> =>
  storedLedger(memoryStore(firstLine(ledgerTerms({ ...terms, budget, dataset, seeds: true }))), { durable: false });
