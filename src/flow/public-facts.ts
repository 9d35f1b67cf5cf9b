import { brokenRows, mended } from '../domain/constraints/mended.js';
import { isHouseholdTable } from '../domain/households/household-table.js';
import { InputError } from '../domain/input-error.js';
import { type Outside, withOutside } from '../domain/schema/outside.js';
import { domainFromSchema } from '../domain/schema/parse-schema.js';
import type { Schema } from '../domain/schema/schema.js';
import type { Table } from '../domain/table.js';
import { priorOf } from '../model/support/prior-of.js';
import type { Support } from '../model/support/support.js';
import { type BudgetRequest, budgetOf } from '../privacy/accounting/budget.js';
import { planningDoor } from '../privacy/session/planning-door.js';
import { amountOf } from '../privacy/session/share.js';
import type { Relation } from '../query/relation.js';
import type { Unit } from '../query/unit.js';
import { parseWorkload } from '../query/workload/parse-workload.js';
import type { Workload } from '../query/workload/workload.js';
import type { PublicFacts } from '../release/plan.js';
import { unitOf } from './unit-of.js';

export interface PublicFactsOptions {
  readonly schema: Schema;
  /** What becomes of values that the schema does not name; `declared` unless told. */
  readonly outside?: Outside | undefined;
  readonly budget: BudgetRequest;
  readonly relation?: Relation | undefined;
  readonly unit?: Unit | undefined;
  /** What the person expects the number of private records to be. */
  readonly expectedRows?: number | undefined;
  /** What the release should answer well; each mechanism's own default unless told. */
  readonly workload?: Workload | undefined;
}

/** What is told of a release, and the part of its budget that its mechanism has; all of it by default. */
type Told = PublicFactsOptions & { readonly part?: number | undefined };

/** What is public about a release: all that choosing and planning may see. A workload is checked against the domain, and copied. */
export const publicFacts = (options: Told, given?: Table, prior?: Support): PublicFacts => {
  const table = given && keptPublic(given);
  const domain = domainFromSchema(withOutside(options.schema, options.outside));
  const { schema, relation, expectedRows, workload, unit = unitOf(schema), part = 1 } = options;
  const whole = budgetOf(options.budget);
  const budget = { ...whole, total: amountOf(whole.total, part) };
  return {
    ...planningDoor({ domain, budget, unit, relation }),
    ...(domain.households === undefined
      ? { prior: prior ?? (table && priorOf(table)), publicTable: table, publicRows: table?.length }
      : publicHomes(table)),
    expectedRows,
    workload: workload && parseWorkload(workload, domain),
  };
};

/**
 * Public rows that keep the constraints, which private ones will: mended as those are. Where most of them break one, the constraints or
 * the table are others than they are taken for.
 */
const keptPublic = (table: Table): Table => {
  const broken = brokenRows(table);
  if (2 * broken > table.length)
    throw new InputError(
      `public table: most of its rows must keep the constraints of the schema, got ${broken.toLocaleString('en-US')} of ${table.length.toLocaleString('en-US')} that break one; correct the constraints, or leave the table out`,
    );
  return mended(table);
};

/** What is public of households. */
const publicHomes = (table: Table | undefined): Pick<PublicFacts, 'publicHouseholds' | 'publicRows'> => {
  if (table === undefined) return {};
  if (!isHouseholdTable(table))
    throw new InputError(
      'public table: must have its persons put together by household, got a plain table; use groupHouseholds',
    );
  return { publicHouseholds: table, publicRows: table.offsets.length - 1 };
};
