import type { JournalEntry } from '../privacy/session/journal/journal.js';
import type { FoundJournal, JournalHeader } from '../privacy/session/journal/journal-lines.js';

/** Where a release keeps what it has paid for until it is whole. */
export interface KeepJournal {
  /** What an interrupted run left, to go on with; undefined for a new release. */
  readonly found?: FoundJournal | undefined;
  /** The command that would go on, for people. */
  readonly how: string;
  /** Begins the journal of a new release: durable when it comes back. */
  begin(header: JournalHeader): Promise<void>;
  /** Durable when it comes back. */
  append(entry: JournalEntry): Promise<void>;
}
