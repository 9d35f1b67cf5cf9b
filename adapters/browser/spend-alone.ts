import { InputError } from '../../src/domain/input-error.js';
import type { KeepJournal } from '../../src/flow/keep-journal.js';
import { type BudgetRequest, budgetOf } from '../../src/privacy/accounting/budget.js';
import type { StoredLedger } from '../../src/privacy/ledger/stored-ledger.js';
import { checkRoom } from '../../src/privacy/session/ledger-cost.js';
import type { Relation } from '../../src/query/relation.js';
import type { Unit } from '../../src/query/unit.js';
import type { ChosenFile } from './chosen-file.js';
import type { PageDatabase } from './database.js';
import { openPageJournal } from './page-journal.js';
import { type LedgerNote, pageLedgers, type TableMark } from './page-ledgers.js';

/** One tab at a time spends from a ledger, and goes on with what was interrupted. */
const alone = async <T>(ledger: LedgerNote, work: () => Promise<T>): Promise<T> =>
  navigator.locks.request(`surmise/ledger/${ledger.id}`, { ifAvailable: true }, async (lock) => {
    if (lock === null)
      throw new InputError(
        `ledger of ${ledger.table}: is being spent from in another tab or window; wait for it to end, or close it`,
      );
    return work();
  }) as Promise<T>;

/** Gives the interrupted release of a table up. */
export const giveUpRelease = async (database: PageDatabase, note: LedgerNote): Promise<void> =>
  alone(note, async () => {
    const journal = await openPageJournal(database, note.id);
    await journal.discard(await pageLedgers(database).open(note));
  });

/** What is spent, from whose ledger. */
export interface Spending {
  /** The private tables that are released together. */
  readonly tables: readonly TableMark[];
  readonly budget: BudgetRequest;
  /** The total of the ledger, where the tables have none yet; what is spent by default. */
  readonly allowance?: BudgetRequest | undefined;
  readonly relation?: Relation | undefined;
  readonly unit: Unit;
  /** Whether the noise comes from a seed. */
  readonly seeds: boolean;
  /** Goes on with the release that was interrupted; without it one that was is refused. */
  readonly resume?: boolean | undefined;
  /** A file for a ledger that begins with this release. */
  readonly ledgerFile?: ChosenFile | undefined;
}

/** The account that a release spends from, and where it keeps what it has paid for. */
export interface Account {
  readonly ledger: StoredLedger;
  readonly journal: KeepJournal;
  /** From the first reservation on, something may have been spent. */
  readonly onReserved: () => void;
}

/**
 * Makes a release with the ledger of its tables, which begins with it where there is none, in one tab at a time. What it pays for is kept in the page until
 * `work` comes back with the release kept elsewhere, so that a reload loses nothing.
 */
export const spendAlone = async <T>(
  database: PageDatabase,
  { tables, budget, allowance, relation, unit, seeds, resume, ledgerFile }: Spending,
  work: (account: Account) => Promise<T>,
): Promise<T> => {
  const ledgers = pageLedgers(database);
  const found = await ledgers.find(tables, seeds);
  const total = budgetOf(allowance ?? budget);
  const made = found ?? (await ledgers.make(tables, { budget: total, relation, unit, seeds }, ledgerFile));
  const note = await ledgers.bind(made, tables);
  return alone(note, async () => {
    const ledger = await ledgers.open(note);
    const journal = await openPageJournal(database, note.id);
    const isResumed = resume === true && journal.found !== undefined;
    if (journal.found !== undefined && !isResumed)
      throw new InputError('release: must not be begun while another one of this table is interrupted', {
        kind: 'unfinished',
      });
    if (!isResumed) await checkRoom(ledger, budget);
    let isSpending = isResumed;
    const onReserved = (): void => {
      isSpending = true;
    };
    try {
      const made = await work({ ledger, journal: journal.keep('the studio'), onReserved });
      await journal.remove();
      return made;
    } catch (error) {
      // Where nothing was set aside there is nothing to go on with.
      if (!isSpending) await journal.remove();
      throw error;
    } finally {
      ledger.close();
    }
  });
};
