import type { Amount } from '../../accounting/amount.js';
import { costOfAll } from '../../accounting/charge.js';
import type { Currency } from '../../accounting/currency.js';
import { inTurn } from '../../in-turn.js';
import { type Account, afterEnd, type Guard } from './account.js';
import { openBalance } from './balance.js';

/** An account inside memory: a group's part of what its partition has reserved. */
export const groupAccount = (currency: Currency, total: Amount, parent?: Guard): Account => {
  const turn = inTurn();
  const balance = openBalance(currency, total);
  let open = true;
  return {
    currency,
    total,
    charges: balance.charges,
    remaining: balance.remaining,
    async pay(_what, due, work) {
      if (!open) throw afterEnd('group');
      parent?.admit();
      return turn(async () => {
        parent?.check();
        balance.afford(costOfAll(due, currency));
        balance.charge(due);
        return work();
      });
    },
    close() {
      open = false;
      return turn(async () => undefined);
    },
  };
};
