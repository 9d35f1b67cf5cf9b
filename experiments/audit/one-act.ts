import type { Amount } from '../../src/privacy/accounting/amount.js';
import type { Ledger, Reservation } from '../../src/privacy/ledger/ledger.js';
import { randomName } from '../../src/privacy/ledger/random-name.js';

/** A run of one act: what it does not use goes back to the budget when it is settled. */
export const oneAct = async (
  ledger: Ledger,
  request: { readonly amount: Amount; readonly what: string },
): Promise<Reservation> => {
  const run = await ledger.run({ ...request, release: randomName(), seeded: false });
  const act = await run.reserve(request);
  return {
    ...act,
    commit: async (charges) => {
      await act.commit(charges);
      await run.end('done');
    },
    cancelUnread: async (why) => {
      await act.cancelUnread(why);
      await run.end(why);
    },
  };
};
