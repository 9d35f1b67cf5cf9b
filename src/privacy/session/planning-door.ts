import type { Domain } from '../../domain/domain.js';
import type { Query } from '../../query/query.js';
import type { Relation } from '../../query/relation.js';
import { sensitivity } from '../../query/sensitivity/sensitivity.js';
import type { Unit } from '../../query/unit.js';
import type { Budget } from '../accounting/budget.js';
import { groupAccount } from './account/group-account.js';
import { checkProtected } from './check-terms.js';
import { openDoor } from './door.js';
import type { Door } from './session.js';

/** What can be known of a session before there is one: whom it would protect, and which noise it would add. */
export interface PlanningDoor extends Pick<Door, 'domain' | 'relation' | 'unit' | 'preview' | 'previewDraws'> {
  readonly budget: Budget;
}

export interface PlanningOptions {
  readonly domain: Domain;
  readonly budget: Budget;
  /** `add-remove` by default. */
  readonly relation?: Relation | undefined;
  /** A row by default. */
  readonly unit?: Unit | undefined;
}

const nothing = (): never => {
  throw new Error('planning: there is nothing private behind this door');
};

/**
 * The arithmetic of a session without a table, a ledger or randomness behind it: previews say the same as those of a
 * session with this budget. There is nothing that could be read or spent.
 */
export const planningDoor = ({
  domain,
  budget,
  relation = 'add-remove',
  unit = { kind: 'row', maxRecords: 1 },
}: PlanningOptions): PlanningDoor => {
  checkProtected(unit, relation, domain);
  const { preview, previewDraws } = openDoor({
    domain,
    relation,
    unit,
    account: groupAccount(budget.currency, budget.total),
    exact: { check: nothing, each: nothing },
    primitives: { addNoise: nothing, contrasts: nothing, choose: nothing, draw: nothing, passer: nothing },
    sensitivityOf: (query: Query) => sensitivity(query, domain, relation, unit),
    memory: 0,
    running: {},
  });
  return Object.freeze({ domain, relation, unit, budget, preview, previewDraws });
};
