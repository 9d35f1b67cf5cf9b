import type { Amount } from '../../accounting/amount.js';
import { type Charge, costOfAll } from '../../accounting/charge.js';
import type { Currency } from '../../accounting/currency.js';
import { inTurn } from '../../in-turn.js';
import { type PastAct, type Replay, replay } from '../journal/past.js';
import { type Account, afterEnd, type Guard } from './account.js';
import { openBalance } from './balance.js';

/** The part of a journal that is about one group. */
export interface GroupJournal {
  readonly acts: readonly PastAct[];
  begin(what: string, charges: readonly Charge[]): Promise<void>;
  done(values: readonly Float64Array[]): Promise<void>;
}

export interface GroupAccount extends Account {
  /** From now on acts are journalled, and past ones had again. */
  keep(journal: GroupJournal): void;
}

/** An account inside memory: a group's part of what its partition has reserved. */
export const groupAccount = (
  currency: Currency,
  total: Amount,
  parent?: Guard,
  thresholds?: string | undefined,
): GroupAccount => {
  const turn = inTurn();
  const balance = openBalance({ currency, total, thresholds });
  let open = true;
  let journal: GroupJournal | undefined;
  let past: Replay | undefined;
  return {
    currency,
    total,
    charges: balance.charges,
    remainingShare: balance.remainingShare,
    amount: balance.amount,
    keep(given) {
      journal = given;
      past = replay(given.acts, {
        again: ({ charges }) => balance.charge(charges),
        lost: ({ charges }) => balance.lose(charges),
      });
    },
    async pay(what, due, work) {
      if (!open) throw afterEnd('group');
      parent?.admit();
      return turn(async () => {
        parent?.check();
        const again = due.length === 0 ? undefined : past?.take(what, due);
        if (again !== undefined) return again.values!;
        balance.afford(costOfAll(due, currency));
        balance.affordThresholds(due);
        balance.charge(due);
        const values = await work(async () => {
          if (due.length > 0) await journal?.begin(what, due);
        });
        if (due.length > 0) await journal?.done(values);
        return values;
      });
    },
    close() {
      open = false;
      return turn(async () => undefined);
    },
  };
};
