import type { Amount } from '../accounting/amount.js';
import { type BoundTable, type Chain, type Entry, follow, LedgerDamage, openChain, statusOf } from './chain.js';
import type { LedgerStatus } from './ledger.js';
import { readLine } from './record/record.js';
import type { LedgerStore } from './store.js';

/** A whole ledger, line by line, as the rules read it. */
export interface LedgerInspection {
  /** Where the sound part stands. */
  readonly status: LedgerStatus;
  /** Numbers of the reservations that are open: acts under way, or left by a crash. They count as spent. */
  readonly open: readonly number[];
  /** Numbers of the runs that have not ended, and what no act of theirs has reserved: it counts as spent until they end. */
  readonly runs: readonly { readonly id: number; readonly left: Amount }[];
  /** The tables that it was bound to, the last one last. */
  readonly tables: readonly BoundTable[];
  /** Every line that is not empty, up to the damage if there is any. */
  readonly entries: readonly Entry[];
  /** The first line that surmise cannot have left so; nothing after it was judged. */
  readonly damage?: { readonly line: number; readonly why: string } | undefined;
}

/**
 * Reads and checks everything: hashes, the chain, sequence, budget, and that each cost is that of its charges. Rejects only
 * when the first line is unusable, since then there is no ledger to speak of.
 */
export const inspectLedger = async (store: LedgerStore): Promise<LedgerInspection> => {
  const bytes = await store.read(0);
  const chain: Chain = openChain(store.name, bytes);
  const end = bytes.indexOf(0x0a);
  const first = readLine(end < 0 ? bytes : bytes.subarray(0, end));
  const entries: Entry[] = [];
  if (first.kind === 'record') entries.push({ line: 1, verdict: 'accepted', record: first.record });
  let damage: LedgerDamage | undefined;
  try {
    follow(chain, bytes, (entry) => entries.push(entry));
  } catch (error) {
    if (!(error instanceof LedgerDamage)) throw error;
    damage = error;
  }
  return {
    status: statusOf(chain),
    open: [...chain.acts.keys()],
    runs: [...chain.runs].map(([id, { left }]) => ({ id, left })),
    tables: chain.tables,
    entries,
    damage: damage && { line: damage.line, why: damage.why },
  };
};
