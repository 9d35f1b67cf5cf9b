import { InputError } from '../../domain/input-error.js';
import { type Amount, addAmounts, subtractAmount, zeroAmount } from '../accounting/amount.js';
import type { Budget } from '../accounting/budget.js';
import { costOfAll } from '../accounting/charge.js';
import type { LedgerStatus } from './ledger.js';
import { type LedgerRecord, noHash, readLine } from './record.js';

/** The ledger is not what surmise wrote; nothing can be spent from it. */
export class LedgerDamage extends InputError {
  override readonly name: string = 'LedgerDamage';
  constructor(
    ledger: string,
    /** Line of the ledger, from 1. */
    readonly line: number,
    readonly why: string,
  ) {
    super(
      `ledger ${ledger}: must be as surmise wrote it, got a change at line ${line} (${why}); nothing can be spent until the file is as it was, see surmise ledger verify`,
    );
  }
}

/** One line of the ledger and how the rules read it. */
export type Entry =
  | { readonly line: number; readonly verdict: 'accepted' | 'void'; readonly record: LedgerRecord }
  | { readonly line: number; readonly verdict: 'torn' };

/** The accepted records so far, as far as the future needs them. `accept` and `follow` change it in place. */
export interface Chain {
  readonly name: string;
  readonly dataset: string;
  readonly budget: Budget;
  /** Committed costs. */
  committed: Amount;
  /** Reservations that are neither committed nor cancelled, and their sum. */
  readonly open: Map<number, Amount>;
  reserved: Amount;
  /** Hashes of all accepted records: what a record that lost a race may point to. */
  readonly hashes: Set<string>;
  seq: number;
  tip: string;
  /** Offset in bytes and line number of the last accepted record. */
  tipStart: number;
  tipLine: number;
}

const newline = 0x0a;

/** Splits bytes at newlines; each piece with its offset. The last one may be empty or unfinished. */
const pieces = function* (bytes: Uint8Array): Generator<[offset: number, piece: Uint8Array]> {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(newline, start);
    if (end < 0) break;
    yield [start, bytes.subarray(start, end)];
    start = end + 1;
  }
  yield [start, bytes.subarray(start)];
};

/** Starts a chain from the first line of a ledger. */
export const openChain = (name: string, bytes: Uint8Array): Chain => {
  const end = bytes.indexOf(newline);
  const line = readLine(end < 0 ? bytes : bytes.subarray(0, end));
  if (line.kind === 'damaged') throw new LedgerDamage(name, 1, line.why);
  if (line.kind === 'torn' || line.record.kind !== 'open')
    throw new InputError(
      `ledger ${name}: must be a surmise ledger, got another file; make one with surmise ledger init`,
    );
  const { record } = line;
  if (record.seq !== 0 || record.prev !== noHash) throw new LedgerDamage(name, 1, 'it is not a first record');
  return {
    name,
    dataset: record.dataset,
    budget: {
      currency: record.currency,
      total: record.total,
      ...(record.epsilon === undefined ? {} : { epsilon: record.epsilon }),
      ...(record.delta === undefined ? {} : { delta: record.delta }),
    },
    committed: zeroAmount,
    open: new Map(),
    reserved: zeroAmount,
    hashes: new Set([record.hash]),
    seq: 0,
    tip: record.hash,
    tipStart: 0,
    tipLine: 1,
  };
};

/** Adds the next record of the chain, or says which rule it breaks. Only a program other than surmise writes such a one. */
const accept = (chain: Chain, record: LedgerRecord): string | undefined => {
  if (record.seq !== chain.seq + 1) return `the number is ${record.seq}, and ${chain.seq + 1} was due`;
  if (record.kind === 'open') return 'it opens the ledger again';
  if (record.kind === 'reserve') {
    if (record.amount > remainingOf(chain)) return 'the amount is more than remained';
    chain.open.set(record.seq, record.amount);
    chain.reserved = addAmounts(chain.reserved, record.amount);
  } else {
    const reserved = chain.open.get(record.reservation);
    if (reserved === undefined) return `the reservation ${record.reservation} is not open`;
    if (record.kind === 'commit') {
      if (record.charges.length === 0) return 'there are no charges';
      if (record.amount !== costOfAll(record.charges, chain.budget.currency))
        return 'the amount is not the cost of its charges';
      if (record.amount > reserved) return `the amount is more than reservation ${record.reservation} holds`;
      chain.committed = addAmounts(chain.committed, record.amount);
    }
    chain.open.delete(record.reservation);
    chain.reserved = subtractAmount(chain.reserved, reserved);
  }
  chain.seq = record.seq;
  chain.tip = record.hash;
  chain.hashes.add(record.hash);
  return undefined;
};

/**
 * Follows the ledger from the chain's last record to the end of `bytes`, which begin at `chain.tipStart`. In file order, the
 * first record that points to the tip extends the chain; one that points to an earlier record lost a race and is void; an
 * unfinished line is nothing; anything else is damage and throws. Calls `see` for every line after the first.
 */
export const follow = (chain: Chain, bytes: Uint8Array, see?: (entry: Entry) => void): void => {
  const base = chain.tipStart;
  let line = chain.tipLine - 1;
  for (const [offset, piece] of pieces(bytes)) {
    line++;
    const found = readLine(piece);
    if (offset === 0) {
      if (found.kind === 'record' && found.record.hash === chain.tip) continue;
      throw new LedgerDamage(chain.name, line, 'it changed while the ledger was in use');
    }
    if (found.kind === 'damaged') throw new LedgerDamage(chain.name, line, found.why);
    if (found.kind === 'torn') {
      if (piece.length > 0) see?.({ line, verdict: 'torn' });
      continue;
    }
    const { record } = found;
    if (record.prev === chain.tip) {
      const broken = accept(chain, record);
      if (broken !== undefined) throw new LedgerDamage(chain.name, line, broken);
      chain.tipStart = base + offset;
      chain.tipLine = line;
      see?.({ line, verdict: 'accepted', record });
    } else if (chain.hashes.has(record.prev)) see?.({ line, verdict: 'void', record });
    else throw new LedgerDamage(chain.name, line, 'the record before it is missing');
  }
};

/** What may still be reserved. */
export const remainingOf = (chain: Chain): Amount =>
  subtractAmount(chain.budget.total, addAmounts(chain.committed, chain.reserved));

export const statusOf = (chain: Chain): LedgerStatus => ({
  dataset: chain.dataset,
  budget: chain.budget,
  total: chain.budget.total,
  spent: addAmounts(chain.committed, chain.reserved),
  reserved: chain.reserved,
  remaining: remainingOf(chain),
  records: chain.seq + 1,
  tip: chain.tip,
});
