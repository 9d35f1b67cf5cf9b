import type { KeepJournal } from '../../src/flow/keep-journal.js';
import type { Ledger } from '../../src/privacy/ledger/ledger.js';
import {
  entryLine,
  type FoundJournal,
  headerLine,
  readJournal,
} from '../../src/privacy/session/journal/journal-lines.js';
import { giveUp } from '../give-up.js';
import { byteLog } from './byte-log.js';
import type { PageDatabase } from './database.js';

/** What a release has paid for, kept in the page until it is whole. Whoever uses it holds the lock of the ledger. */
export interface PageJournal {
  readonly found: FoundJournal | undefined;
  keep(how: string): KeepJournal;
  /** The release is whole: forgets it. */
  remove(): Promise<void>;
  /** Gives the release up: its acts are settled in the ledger as far as they drew noise, and what it had not spent goes back. */
  discard(ledger: Ledger): Promise<void>;
}

/** The journal that belongs to a ledger: one release of a table is under way at a time. */
export const openPageJournal = async (database: PageDatabase, ledger: string): Promise<PageJournal> => {
  const log = byteLog(database, `journal/${ledger}`, 'journal');
  const found = readJournal(await log.read(0));
  return {
    found,
    keep: (how) => ({
      found,
      how,
      begin: async (header) => {
        await log.remove();
        await log.append(headerLine(header));
      },
      append: (entry) => log.append(entryLine(entry)),
    }),
    remove: log.remove,
    discard: async (open) => {
      if (found !== undefined) await giveUp(found, open);
      await log.remove();
    },
  };
};
