import { InputError } from '../../domain/input-error.js';
import { type BoundTable, follow, openChain, statusOf } from './chain.js';
import { chainWriter } from './chain-writer.js';
import type { Ledger } from './ledger.js';
import { beginRun, endRun, type OpenLedger, resumeRun } from './ledger-run.js';
import { type Raise, raiseTotal } from './raise-total.js';
import type { LedgerStore } from './store.js';

/** A ledger that can be told which table it is of, and end runs of others. */
export interface StoredLedger extends Ledger {
  /** Ends a run by its number: one that another process left behind. */
  endRun(run: number, why: string): Promise<void>;
  tables(): Promise<readonly BoundTable[]>;
  bind(table: BoundTable): Promise<void>;
  /** Raises the total, never lowers it; the reason stays in the ledger. */
  raise(raise: Raise): Promise<void>;
}

/** The ledger kept in `store`, which several processes may write (`chainWriter`). Given `dataset`, refuses the ledger of another one. */
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
  const writer = chainWriter(store, chain);
  let open = true;
  const refuseClosed = (): void => {
    if (!open) throw new InputError(`ledger ${store.name}: must be open, got one that was closed; open it anew`);
  };
  const opened: OpenLedger = {
    ...writer,
    refuseClosed,
    get currency() {
      return chain.terms.budget.currency;
    },
  };
  return {
    ...terms,
    get budget() {
      return chain.terms.budget;
    },
    get currency() {
      return chain.terms.budget.currency;
    },
    durable,
    isOpen: () => open,
    close: () => {
      open = false;
    },
    status: () => writer.read(statusOf),
    run: (request) => beginRun(opened, request),
    resume: (release) => resumeRun(opened, release),
    endRun: (run, why) => endRun(writer, run, why),
    tables: () => writer.read(({ tables }) => [...tables]),
    raise: async (raise) => {
      refuseClosed();
      await raiseTotal(writer, raise);
    },
    bind: async ({ path, file }) => {
      refuseClosed();
      await writer.append({ kind: 'bind', path, file }, () => undefined);
    },
  };
};
