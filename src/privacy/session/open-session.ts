import { InputError } from '../../domain/input-error.js';
import type { Running } from '../../domain/running.js';
import type { Query } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import { sensitivity } from '../../query/sensitivity/sensitivity.js';
import type { Unit } from '../../query/unit.js';
import { isCryptographic } from '../../random/cryptographic.js';
import type { PrivateSource } from '../../source/source.js';
import { zeroAmount } from '../accounting/amount.js';
import type { Budget, BudgetRequest } from '../accounting/budget.js';
import { exactAnswers } from '../answers/exact-answers.js';
import { type Entropy, webEntropy } from '../entropy.js';
import type { Ledger } from '../ledger/ledger.js';
import { otherwiseCounted } from '../ledger/ledger-run.js';
import { randomName } from '../ledger/random-name.js';
import { exactPrimitives, type Primitives } from '../primitives.js';
import { type LedgerAccount, ledgerAccount } from './account/ledger-account.js';
import { checkProtected, checkTerms } from './check-terms.js';
import { openDoor } from './door.js';
import { countedWords } from './journal/counted-words.js';
import type { Journal } from './journal/journal.js';
import { countedBy } from './ledger-cost.js';
import { ownCopy } from './own-copy.js';
import { partitioner } from './partition.js';
import type { Session } from './session.js';
import { fixedCharges, statementOf } from './statement.js';

/** What a session opens, within which budget, written to which ledger. */
export interface SessionOptions extends Running {
  readonly source: PrivateSource;
  /** What this session may spend of the ledger's budget. */
  readonly budget: BudgetRequest;
  readonly ledger: Ledger;
  /** `add-remove` by default: the number of units is private. */
  readonly relation?: Relation | undefined;
  /** Web Crypto by default (`webEntropy`); any other marks everything it makes as made from a seed. */
  readonly entropy?: Entropy | undefined;
  /** Bytes of exact counts held at once, 1 GB by default; a larger marginal is refused before anything is spent. */
  readonly memory?: number | undefined;
  /** A name for what comes of it, 32 hexadecimal digits that no other release has; a random one by default. */
  readonly release?: string | undefined;
  /** Hears of every reservation in the ledger: from the first one on, something may have been spent. */
  readonly onReserved?: (() => void) | undefined;
  /** Keeps what is paid for; with one of an interrupted session of the same `release`, its acts are had again, for nothing, and the session goes on behind them. One session at a time: what is under way in another counts as dead. */
  readonly journal?: Journal | undefined;
}

/**
 * Opens the one door to a private table. Nothing is read or spent yet.
 *
 * @example
 * ```ts
 * const session = openSession({ source, ledger, budget: { epsilon: 1, delta: 1e-9 } });
 * const [ages] = await session.measure([marginal('age')], 0.5);
 * await session.close();
 * ```
 */
export const openSession = (options: SessionOptions): Session => {
  const entropy = options.entropy ?? webEntropy();
  const { counted, drawn } = countedWords(entropy, options.journal);
  return sessionOn(options, exactPrimitives(counted), !isCryptographic(entropy), drawn);
};

const checkLedger = (budget: Budget, source: Table, ledger: Ledger, relation: Relation, seeded: boolean) => {
  if (ledger.dataset !== source.dataset)
    throw new InputError(
      `ledger: must be the one of dataset "${source.dataset}", got the ledger of "${ledger.dataset}"; name the right ledger`,
    );
  const takesGdp = ledger.currency === 'gdp' || ledger.budget.either === true;
  if (budget.currency === 'gdp' ? !takesGdp : budget.currency === 'zcdp' && ledger.currency === 'gdp')
    throw otherwiseCounted(ledger.currency);
  if (ledger.currency === 'pure' && budget.currency === 'zcdp')
    throw new InputError(
      'budget: the ledger counts pure epsilon, got a budget with delta or rho; leave delta out, or start the ledger with one',
    );
  checkTerms(ledger, { relation, unit: source.unit, seeded });
};

/** What a session knows of the table it is opened for, before it counts. */
type Table = Pick<PrivateSource, 'dataset' | 'unit' | 'seeded' | 'isOpen'>;

/** A run of a ledger that is opened for a table: what is asked of the table later is paid for from it. */
export interface OpenRun {
  readonly account: LedgerAccount;
  readonly primitives: Primitives;
  readonly relation: Relation;
  readonly unit: Unit;
  readonly budget: Budget;
  readonly running: Running;
  /** From now on the table is read by this source: the same table, and the same units. */
  goOnWith(source: Table): void;
  /** The session on a source whose domain is known. */
  session(source: PrivateSource): Session;
}

export type RunOptions = Omit<SessionOptions, 'source'>;

/** Opens a run whose primitives are given. Nothing is read or spent yet. */
export const runOn = (
  table: Table,
  options: RunOptions,
  primitives: Primitives,
  predictable: boolean,
  drawn?: () => number,
): OpenRun => {
  const { ledger, memory = 2 ** 30, signal } = options;
  const relation = ownRelation(options.relation ?? 'add-remove');
  const unit = ownCopy(table.unit, 'unit');
  const { dataset } = table;
  const budget = Object.freeze(countedBy(ledger, options.budget));
  const release = options.release ?? randomName();
  // Which rows of an id were dropped is part of the guarantee as much as the noise is.
  const seeded = predictable || table.seeded;
  checkLedger(budget, table, ledger, relation, seeded);
  let read = table;
  const account = ledgerAccount({
    ledger,
    budget,
    release,
    seeded,
    check: () => {
      signal?.throwIfAborted();
      if (!read.isOpen()) throw new InputError('source: must be open while its session is used, got a closed one');
    },
    onReserved: options.onReserved,
    interrupted: () => signal?.aborted ?? false,
    journal: options.journal,
    dropsAnew: unit.kind !== 'row',
    drawn,
  });
  const goOnWith = (source: Table): void => {
    if (
      source.dataset !== dataset ||
      JSON.stringify(source.unit) !== JSON.stringify(unit) ||
      (source.seeded && !seeded)
    )
      throw new InputError('source: must be of the table and the units that the run was opened for, got others');
    read = source;
  };
  const session = (source: PrivateSource): Session => {
    goOnWith(source);
    const domain = ownCopy(source.domain, 'domain');
    checkProtected(unit, relation, domain);
    // Without progress: which engine counts may depend on the number of rows, and not all of them tell how far they are.
    const exact = exactAnswers(source, memory, { signal });
    const parts = {
      domain,
      relation,
      unit,
      account,
      exact,
      primitives,
      memory,
      sensitivityOf: (query: Query) => sensitivity(query, domain, relation, unit),
      running: options,
    };
    const door = openDoor({ ...parts, scratches: [] });
    return Object.freeze({
      ...door,
      dataset,
      budget,
      release,
      get remaining() {
        return door.remaining;
      },
      partition: partitioner(parts, account),
      acts: () => account.acts.map((act) => ({ ...act })),
      statement: () =>
        statementOf({
          dataset,
          relation,
          unit,
          budget,
          seeded,
          charges: account.charges,
          fixed: account.pending() === zeroAmount ? fixedCharges(account.acts) : 0,
          pending: account.pending(),
        }),
      close: () => account.close(),
      suspend: () => (options.journal === undefined ? account.close() : account.suspend()),
    });
  };
  return { account, primitives, relation, unit, budget, running: options, goOnWith, session };
};

/** A session whose primitives are given: for `openSession`, and for tests that record and replay them. Not exported to users. */
export const sessionOn = (
  { source, ...options }: SessionOptions,
  primitives: Primitives,
  predictable: boolean,
  drawn?: () => number,
): Session => {
  checkProtected(source.unit, ownRelation(options.relation ?? 'add-remove'), source.domain);
  return runOn(source, options, primitives, predictable, drawn).session(source);
};

const ownRelation = (relation: Relation): Relation => {
  if (relation !== 'add-remove' && relation !== 'replace-one')
    throw new InputError(`relation: must be add-remove or replace-one, got ${JSON.stringify(relation)}`);
  return relation;
};
