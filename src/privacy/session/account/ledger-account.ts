import { InputError } from '../../../domain/input-error.js';
import type { Amount } from '../../accounting/amount.js';
import { costOfAll } from '../../accounting/charge.js';
import { inTurn } from '../../in-turn.js';
import { type Account, afterEnd, type Guard } from './account.js';
import { openBalance } from './balance.js';
import { openPartitions, type SharedWork } from './open-partitions.js';
import { type Act, type PaidRunOptions, paidRun } from './paid-run.js';

/** An account whose every payment is durable in a ledger before the work starts, and committed before its result is seen. */
export interface LedgerAccount extends Account, Guard {
  /** What was paid, as the ledger has it. */
  readonly acts: readonly Act[];
  /** What open partitions may still spend or have spent: in no charge yet, and counted as spent. */
  pending(): Amount;
  /**
   * Reserves `most`, runs the work, and commits the charges that `due` then names, whether the work succeeded or not: but only
   * when its accounts are closed, so that nothing can be spent behind the commit.
   */
  share<T>(shared: SharedWork<T>): Promise<T>;
}

export interface LedgerAccountOptions extends PaidRunOptions {
  readonly check: Guard['check'];
}

export const ledgerAccount = (options: LedgerAccountOptions): LedgerAccount => {
  const { ledger, check } = options;
  const { currency, total } = options.budget;
  const turn = inTurn();
  const balance = openBalance(currency, total);
  const run = paidRun(options);
  const partitions = openPartitions({ ...options, turn, balance, run });
  let open = true;

  const admit = (): void => {
    if (!open) throw afterEnd('session');
    if (!ledger.isOpen()) throw new InputError('ledger: must be open while its session is used, got a closed one');
    check();
  };

  return {
    currency,
    total,
    charges: balance.charges,
    acts: run.acts,
    admit,
    check,
    remaining: balance.remaining,
    pending: partitions.pending,
    async pay(what, due, work) {
      admit();
      return turn(async () => {
        check();
        balance.afford(costOfAll(due, currency));
        // Answers that neighbours cannot differ in, such as a public total, cost nothing.
        if (due.length === 0) return work();
        const reservation = await run.reserve(costOfAll(due, ledger.currency), what);
        balance.charge(due);
        try {
          return await work();
        } finally {
          // Whatever became of it, something may have been read.
          await run.commit(reservation, due);
        }
      });
    },
    async share(shared) {
      admit();
      const partition = await turn(() => partitions.open(shared));
      // The work runs outside the turn: it may pay for other things on this account meanwhile.
      try {
        return await shared.work();
      } finally {
        await partition.settle();
      }
    },
    async close() {
      open = false;
      // What was called before has its turn first; then every partition is known.
      await turn(async () => undefined);
      await partitions.settleAll();
      await turn(run.end);
    },
  };
};
