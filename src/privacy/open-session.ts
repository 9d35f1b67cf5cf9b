import { InputError } from '../domain/input-error.js';
import type { Running } from '../domain/running.js';
import type { Query } from '../query/query.js';
import type { Relation } from '../query/relation.js';
import { sensitivity } from '../query/sensitivity.js';
import type { PrivateSource } from '../source/source.js';
import { ledgerAccount } from './account.js';
import { type Budget, type BudgetRequest, budgetOf } from './accounting/budget.js';
import { openDoor } from './door.js';
import { type Entropy, webEntropy } from './entropy.js';
import { exactAnswers } from './exact-answers.js';
import type { Ledger } from './ledger/ledger.js';
import { partitioner } from './partition.js';
import { exactPrimitives, type Primitives } from './primitives.js';
import type { Session } from './session.js';
import { statementOf } from './statement.js';

export interface SessionOptions extends Running {
  readonly source: PrivateSource;
  /** What this session may spend of the ledger's budget. */
  readonly budget: BudgetRequest;
  readonly ledger: Ledger;
  /** `add-remove` by default: the number of units is private. */
  readonly relation?: Relation;
  /** Web Crypto by default; a seeded one marks everything it makes. */
  readonly entropy?: Entropy;
  /** Bytes of exact counts held at once, 1 GB by default; a larger marginal is refused before anything is spent. */
  readonly memory?: number;
}

/** Opens the one door to a private table. Nothing is read or spent yet. */
export const openSession = (options: SessionOptions): Session => {
  const entropy = options.entropy ?? webEntropy();
  return sessionOn(options, exactPrimitives(entropy), entropy.seeded);
};

const checkLedger = (budget: Budget, source: PrivateSource, ledger: Ledger): void => {
  if (ledger.dataset !== source.dataset)
    throw new InputError(
      `ledger: must be the one of dataset "${source.dataset}", got the ledger of "${ledger.dataset}"; name the right ledger`,
    );
  if (ledger.currency === 'pure' && budget.currency === 'zcdp')
    throw new InputError(
      'budget: the ledger counts pure epsilon, got a budget with delta or rho; leave delta out, or start the ledger with one',
    );
};

/** A session whose primitives are given: for `openSession`, and for tests that record and replay them. Not exported to users. */
export const sessionOn = (options: SessionOptions, primitives: Primitives, seeded: boolean): Session => {
  const { source, ledger, relation = 'add-remove', memory = 2 ** 30, signal } = options;
  const { domain, unit, dataset } = source;
  const budget = budgetOf(options.budget);
  checkLedger(budget, source, ledger);
  const account = ledgerAccount(
    ledger,
    budget.currency,
    budget.total,
    { relation, ...(seeded ? { seeded } : {}) },
    signal,
  );
  const exact = exactAnswers(source, memory, signal);
  const parts = {
    domain,
    relation,
    unit,
    account,
    exact,
    primitives,
    memory,
    sensitivityOf: (query: Query) => sensitivity(query, domain, relation, unit.maxRecords),
    running: options,
  };
  const door = openDoor({ ...parts, rooms: [] });
  return Object.freeze({
    ...door,
    dataset,
    budget,
    get remaining() {
      return door.remaining;
    },
    partition: partitioner(parts, account),
    statement: () => statementOf({ dataset, relation, unit, budget, seeded, charges: account.charges }),
  });
};
