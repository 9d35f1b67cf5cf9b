import type { Ledger } from '../src/privacy/ledger/ledger.js';
import type { FoundJournal } from '../src/privacy/session/journal/journal-lines.js';
import { isPartition, pastRun } from '../src/privacy/session/journal/past.js';

/**
 * Settles the acts of an interrupted release in its ledger as far as they drew noise; what it had not spent goes back. Where a partition was under way, all
 * that was reserved for it stays spent.
 */
export const giveUp = async ({ header, entries }: FoundJournal, ledger: Ledger): Promise<void> => {
  const left = await ledger.resume(header.release);
  const past = pastRun(entries);
  for (const reservation of left?.open ?? []) {
    const act = past.find(reservation.id);
    if (act === undefined) await reservation.cancelUnread('it was interrupted before noise was drawn');
    else if (!isPartition(act)) await reservation.commit(act.charges);
  }
  await left?.run?.end('the interrupted release was given up');
};
