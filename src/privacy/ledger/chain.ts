import { InputError } from '../../domain/input-error.js';
import { type Amount, addAmounts, subtractAmount, zeroAmount } from '../accounting/amount.js';
import { type Budget, gdpBudget } from '../accounting/budget.js';
import { costOfAll, thresholdDelta } from '../accounting/charge.js';
import { decimalText } from '../accounting/decimal.js';
import { addRational, type Rational } from '../rational.js';
import type { LedgerStatus, LedgerTerms } from './ledger.js';
import { type LedgerRecord, ledgerFormat, noHash, readLine } from './record/record.js';

/** The ledger is not what surmise wrote; nothing can be spent from it. */
export class LedgerDamage extends InputError {
  override readonly name: string = 'LedgerDamage';
  constructor(
    ledger: string,
    /** Line of the ledger, from 1. */
    readonly line: number,
    readonly why: string,
  ) {
    super(`ledger ${ledger}: must be as surmise wrote it, got a change at line ${line} (${why})`, {
      kind: 'verify-ledger',
    });
  }
}

/** Which table a ledger is of, in hashes. */
export interface BoundTable {
  /** Of the table's real path. */
  readonly path: string;
  /** Of its device and inode. */
  readonly file: string;
}

/** One line of the ledger and how the rules read it. */
export type Entry =
  | { readonly line: number; readonly verdict: 'accepted' | 'void'; readonly record: LedgerRecord }
  | { readonly line: number; readonly verdict: 'torn' };

/** What was reserved for a release and not yet for one of its acts. */
interface OpenRun {
  readonly release: string;
  left: Amount;
}

/** An act that may have read something. */
interface OpenAct {
  readonly run: number;
  readonly release: string;
  readonly amount: Amount;
}

/** The accepted records so far, as far as the future needs them. `accept` and `follow` change it in place. */
export interface Chain {
  readonly name: string;
  /** As the ledger was opened, with the total to which it was raised last. */
  terms: LedgerTerms;
  /** Committed costs. */
  committed: Amount;
  /** The rho of what was committed, where gdp is counted. */
  rho: Amount;
  /** The deltas of thresholds that were committed. */
  thresholds: Rational | undefined;
  /** Runs that have not ended. */
  readonly runs: Map<number, OpenRun>;
  /** Acts that are neither committed nor cancelled. */
  readonly acts: Map<number, OpenAct>;
  /** Names of all releases that had a run. */
  readonly releases: Set<string>;
  /** What runs and acts hold together. */
  reserved: Amount;
  /** The tables that the ledger was bound to, the last one last. */
  readonly tables: BoundTable[];
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
  const start = String.fromCharCode(...bytes.subarray(0, 200));
  const format = /^\{"seq":0,.*?"format":"(surmise-ledger\/\d+)"/.exec(start)?.[1];
  if (format !== undefined && format !== ledgerFormat)
    throw new InputError(
      `ledger ${name}: must be of format ${ledgerFormat}, got ${format}; keep it with what it records, and start another with the budget that is left`,
    );
  if (line.kind === 'damaged' && format !== undefined) throw new LedgerDamage(name, 1, line.why);
  if (line.kind !== 'record' || line.record.kind !== 'open')
    throw new InputError(`ledger ${name}: must be a surmise ledger, got another file`, { kind: 'make-ledger' });
  const { record } = line;
  if (record.seq !== 0 || record.prev !== noHash) throw new LedgerDamage(name, 1, 'it is not a first record');
  const { dataset, relation, unit, seeds, currency, total, epsilon, delta, accounting } = record;
  return {
    name,
    terms: {
      dataset,
      relation,
      unit,
      seeds: seeds === true,
      budget: {
        currency,
        total,
        epsilon,
        delta,
        either: accounting === undefined ? undefined : true,
      },
    },
    committed: zeroAmount,
    rho: zeroAmount,
    thresholds: undefined,
    runs: new Map(),
    acts: new Map(),
    releases: new Set(),
    reserved: zeroAmount,
    tables: [],
    hashes: new Set([record.hash]),
    seq: 0,
    tip: record.hash,
    tipStart: 0,
    tipLine: 1,
  };
};

/** What an act did not use: the run's again while it lasts, then the budget's. */
const giveBack = (chain: Chain, { run, amount }: OpenAct, spent: Amount): void => {
  const open = chain.runs.get(run);
  const rest = subtractAmount(amount, spent);
  chain.reserved = subtractAmount(chain.reserved, open === undefined ? amount : spent);
  if (open !== undefined) open.left = addAmounts(open.left, rest);
};

/** How each kind of record changes the chain, or which rule it breaks. */
const rules: { [K in LedgerRecord['kind']]: (chain: Chain, record: LedgerRecord & { kind: K }) => string | undefined } =
  {
    open: () => 'it opens the ledger again',
    raise: (chain, { total, epsilon, delta, why }) => {
      const { budget } = chain.terms;
      if (total <= budget.total) return 'the new total is no larger';
      if (delta !== budget.delta) return 'its delta is not that of the ledger';
      if (budget.currency === 'pure' && epsilon !== total) return 'its epsilon is not its total';
      if (why.trim() === '') return 'it gives no reason';
      // What is raised is counted as it is: a total in rho may be among what was promised.
      chain.terms = { ...chain.terms, budget: { ...budget, total, epsilon, either: undefined } };
      return undefined;
    },
    bind: (chain, { path, file }) => {
      chain.tables.push({ path, file });
      return undefined;
    },
    run: (chain, { seq, amount, release, accounting, seeded }) => {
      const budget = budgetOfRun(chain, accounting);
      if (budget === undefined) return 'it is not counted as the ledger is';
      if (amount > restOf(chain, budget)) return 'the amount is more than remained';
      if (seeded === true && !chain.terms.seeds) return 'its noise came from a seed';
      chain.terms = { ...chain.terms, budget };
      chain.runs.set(seq, { release, left: amount });
      chain.releases.add(release);
      chain.reserved = addAmounts(chain.reserved, amount);
      return undefined;
    },
    reserve: (chain, { seq, run, amount }) => {
      const open = chain.runs.get(run);
      if (open === undefined) return `the run ${run} is not open`;
      if (amount > open.left) return `the amount is more than was left to run ${run}`;
      open.left = subtractAmount(open.left, amount);
      chain.acts.set(seq, { run, release: open.release, amount });
      return undefined;
    },
    commit: (chain, { reservation, release, amount, charges }) => {
      const act = chain.acts.get(reservation);
      if (act === undefined) return `the reservation ${reservation} is not open`;
      if (release !== act.release) return 'it is of another release than its reservation';
      if (charges.length === 0) return 'there are no charges';
      if (amount !== costOfAll(charges, chain.terms.budget.currency))
        return 'the amount is not the cost of its charges';
      if (amount > act.amount) return `the amount is more than reservation ${reservation} holds`;
      chain.committed = addAmounts(chain.committed, amount);
      if (chain.terms.budget.currency === 'gdp') chain.rho = addAmounts(chain.rho, costOfAll(charges, 'zcdp'));
      chain.thresholds = bothDeltas(chain.thresholds, thresholdDelta(charges));
      chain.acts.delete(reservation);
      giveBack(chain, act, amount);
      return undefined;
    },
    cancel: (chain, { reservation }) => {
      const act = chain.acts.get(reservation);
      if (act === undefined) return `the reservation ${reservation} is not open`;
      chain.acts.delete(reservation);
      giveBack(chain, act, zeroAmount);
      return undefined;
    },
    end: (chain, { run }) => {
      const open = chain.runs.get(run);
      if (open === undefined) return `the run ${run} is not open`;
      chain.runs.delete(run);
      chain.reserved = subtractAmount(chain.reserved, open.left);
      return undefined;
    },
  };

/** Adds the next record of the chain, or says which rule it breaks. Only a program other than surmise writes such a one. */
const accept = (chain: Chain, record: LedgerRecord): string | undefined => {
  if (record.seq !== chain.seq + 1) return `the number is ${record.seq}, and ${chain.seq + 1} was due`;
  const rule = rules[record.kind] as (chain: Chain, record: LedgerRecord) => string | undefined;
  const broken = rule(chain, record);
  if (broken !== undefined) return broken;
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

const restOf = ({ committed, reserved }: Chain, { total }: Budget): Amount =>
  subtractAmount(total, addAmounts(committed, reserved));

/** What may still be reserved. */
const remainingOf = (chain: Chain): Amount => restOf(chain, chain.terms.budget);

/** What may still be reserved for a run that is counted so; undefined where the ledger counts otherwise. */
export const remainingFor = (chain: Chain, accounting: 'gdp' | undefined): Amount | undefined => {
  const budget = budgetOfRun(chain, accounting);
  return budget && restOf(chain, budget);
};

/**
 * The ledger's budget from a run on that is counted in gdp, or is not. The first run says which, before anything was seen of the table: (epsilon, delta) is then
 * kept by the one or by the other, and never by whichever suits what was seen.
 */
const budgetOfRun = ({ terms: { budget } }: Chain, accounting: 'gdp' | undefined): Budget | undefined => {
  if (budget.currency === 'gdp') return accounting === 'gdp' ? budget : undefined;
  if (accounting === undefined) return budget.either ? { ...budget, either: undefined } : budget;
  return budget.either && gdpBudget(budget);
};

const bothDeltas = (a: Rational | undefined, b: Rational | undefined): Rational | undefined =>
  a === undefined ? b : b === undefined ? a : addRational(a, b);

export const statusOf = (chain: Chain): LedgerStatus => ({
  ...chain.terms,
  total: chain.terms.budget.total,
  spent: addAmounts(chain.committed, chain.reserved),
  reserved: chain.reserved,
  remaining: remainingOf(chain),
  rho: chain.terms.budget.currency === 'gdp' ? addAmounts(chain.rho, chain.reserved) : undefined,
  thresholds: chain.thresholds && decimalText(chain.thresholds, 'up'),
  records: chain.seq + 1,
  tip: chain.tip,
});
