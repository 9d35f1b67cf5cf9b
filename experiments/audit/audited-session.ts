import { codesAt } from '../../src/domain/cell-index.js';
import { cellsOf, type Domain, indexOf } from '../../src/domain/domain.js';
import {
  type Amount,
  addAmounts,
  amountToNumber,
  subtractAmount,
  zeroAmount,
} from '../../src/privacy/accounting/amount.js';
import { type BudgetRequest, budgetOf } from '../../src/privacy/accounting/budget.js';
import { costOfAll } from '../../src/privacy/accounting/charge.js';
import { exactAnswers } from '../../src/privacy/answers/exact-answers.js';
import { webEntropy } from '../../src/privacy/entropy.js';
import { BudgetError, type Ledger } from '../../src/privacy/ledger/ledger.js';
import { exactPrimitives, type Primitives } from '../../src/privacy/primitives.js';
import { groupAccount } from '../../src/privacy/session/account/group-account.js';
import { openDoor } from '../../src/privacy/session/door.js';
import type { DoorParts } from '../../src/privacy/session/door-parts.js';
import { sessionOn } from '../../src/privacy/session/open-session.js';
import type { Door, Session } from '../../src/privacy/session/session.js';
import type { Relation } from '../../src/query/relation.js';
import { sensitivity } from '../../src/query/sensitivity/sensitivity.js';
import type { Unit } from '../../src/query/unit.js';
import type { PrivateSource } from '../../src/source/source.js';

/** A ledger that only adds up: the real one writes and hashes a record a call, which a million runs do not need. */
const addingLedger = (request: BudgetRequest, relation: Relation, unit: Unit): Ledger => {
  const budget = budgetOf(request);
  let spent = zeroAmount;
  return {
    dataset: 'audit',
    budget,
    relation,
    unit,
    seeds: false,
    durable: false,
    currency: budget.currency,
    isOpen: () => true,
    close: () => undefined,
    status: async () => {
      throw new Error('the adding ledger keeps no records');
    },
    resume: async () => undefined,
    run: async () => ({
      id: 0,
      end: async () => undefined,
      reserve: async ({ amount }) => {
        if (amount > budget.total - spent) throw new BudgetError(amount, subtractAmount(budget.total, spent), budget);
        spent = addAmounts(spent, amount);
        const give = (back: Amount): void => {
          spent = subtractAmount(spent, back);
        };
        return {
          id: 0,
          amount,
          commit: async (charges) => give(subtractAmount(amount, costOfAll(charges, budget.currency))),
          cancelUnread: async () => give(amount),
        };
      },
    }),
  };
};

/** The cell of a row in a marginal, by the codes of the row's own cell. */
const cellIn = (domain: Domain, cell: number, attributes: readonly string[]): number => {
  const codes = codesAt(
    cell,
    domain.attributes.map(({ size }) => size),
  );
  return attributes.reduce((sum, name) => {
    const index = indexOf(domain, name);
    return sum * domain.attributes[index].size + codes[index];
  }, 0);
};

/** A table of a cell of the whole domain for each row. */
const tinySource = (
  domain: Domain,
  cells: readonly number[],
  unit: Unit,
  homes: readonly number[] = [],
): PrivateSource => ({
  domain,
  unit,
  dataset: 'audit',
  holdings: async (queries) =>
    queries.map(({ attributes }) => {
      const counts = new Float64Array(cellsOf(domain, attributes));
      const seen = new Set<string>();
      for (const [row, cell] of cells.entries()) {
        const own = cellIn(domain, cell, attributes);
        const key = `${homes[row]} ${own}`;
        if (!seen.has(key)) counts[own]++;
        seen.add(key);
      }
      return counts;
    }),
  counts: async (marginals) =>
    marginals.map(({ attributes }) => {
      const counts = new Float64Array(cellsOf(domain, attributes));
      for (const cell of cells) counts[cellIn(domain, cell, attributes)]++;
      return counts;
    }),
  units: async () => cells.length,
  isOpen: () => true,
  seeded: false,
});

export interface Setting {
  /** Number of cells of the attribute "x". */
  readonly size: number;
  /** Numbers of cells of further attributes "y", "z" and so on; rows are cells of all of them, the last varying fastest. */
  readonly further?: readonly number[];
  /** Cells of the rows on either side. */
  readonly sides: readonly [readonly number[], readonly number[]];
  readonly relation: Relation;
  readonly maxRecords?: number;
  /** Where rows are persons: the household of each row on either side, how many persons it may have, and whom the session protects. */
  readonly households?: {
    readonly homes: readonly [readonly number[], readonly number[]];
    readonly maxSize: number;
    readonly unit: 'household' | 'person';
  };
  /** What one run may spend: the share `oneRun`. */
  readonly budget: BudgetRequest;
  /** A bug to put into the parts of the session: the audit must catch it. */
  readonly plant?: (parts: DoorParts) => DoorParts;
}

/** Runs that a session serves before a new one is opened; it keeps the list of charges short. */
const runsPerSession = 5000;

/** The share of a session's budget that belongs to one run. */
export const oneRun = 1 / runsPerSession;

const forAllRuns = (budget: BudgetRequest): BudgetRequest =>
  budget.epsilon !== undefined
    ? { epsilon: Number(budget.epsilon) * runsPerSession }
    : { rho: Number(budget.rho) * runsPerSession };

/** Sessions on one side of a setting, renewed as they are used up, and what they charged. */
export interface Side {
  /** The session for the next run. */
  next(): Door & Pick<Session, 'partition'>;
  /** Everything charged so far: epsilon or rho. */
  spent(): number;
}

/** A door with a planted bug, made of the same parts as a session's. */
const plantedDoor = (
  source: PrivateSource,
  request: BudgetRequest,
  relation: Relation,
  primitives: Primitives,
  plant: (parts: DoorParts) => DoorParts,
) => {
  const { currency, total } = budgetOf(request);
  const account = groupAccount(currency, total);
  const { domain, unit } = source;
  const memory = 2 ** 20;
  const parts: DoorParts = {
    domain,
    relation,
    unit,
    account,
    primitives,
    memory,
    exact: exactAnswers(source, memory),
    sensitivityOf: (query) => sensitivity(query, domain, relation, unit),
    running: {},
  };
  const partition = () => Promise.reject(new Error('a planted door has no groups'));
  return {
    door: { ...openDoor(plant(parts)), partition },
    spent: () => amountToNumber(costOfAll(account.charges, currency)),
  };
};

const unitOf = ({ maxRecords = 1, households }: Setting): Unit => {
  if (households?.unit === 'household')
    return { kind: 'household', column: 'household', maxRecords: households.maxSize };
  if (households?.unit === 'person') return { kind: 'person', maxRecords: 1 };
  return maxRecords === 1 ? { kind: 'row', maxRecords: 1 } : { kind: 'id', column: 'unit', maxRecords };
};

export const openSide = (setting: Setting, side: 0 | 1): Side => {
  const { size, further = [], sides, relation, households, plant } = setting;
  const unit = unitOf(setting);
  const attributes = [size, ...further].map((cells, i) => {
    const name = 'xyzvw'[i];
    return { name, size: cells, spec: { type: 'integer', name, min: 0, max: cells - 1 } as const };
  });
  const levels = households && { attributes: [], maxSize: households.maxSize };
  const source = tinySource({ attributes, households: levels }, sides[side], unit, households?.homes[side]);
  const budget = forAllRuns(setting.budget);
  const primitives = exactPrimitives(webEntropy());
  const open = () => {
    if (plant !== undefined) return plantedDoor(source, budget, relation, primitives, plant);
    const session = sessionOn(
      { source, budget, ledger: addingLedger(budget, relation, unit), relation },
      primitives,
      false,
    );
    return { door: session, spent: () => Number(session.statement().spent) };
  };
  let current = open();
  let runs = 0;
  let before = 0;
  return {
    next() {
      if (runs === runsPerSession) {
        before += current.spent();
        current = open();
        runs = 0;
      }
      runs++;
      return current.door;
    },
    spent: () => before + current.spent(),
  };
};
