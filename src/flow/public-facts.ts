import { type Outside, withOutside } from '../domain/schema/outside.js';
import { domainFromSchema } from '../domain/schema/parse-schema.js';
import type { Schema } from '../domain/schema/schema.js';
import type { Table } from '../domain/table.js';
import { supportOf } from '../model/support/support.js';
import { type BudgetRequest, budgetOf } from '../privacy/accounting/budget.js';
import { planningDoor } from '../privacy/session/planning-door.js';
import type { Relation } from '../query/relation.js';
import type { PublicFacts } from '../release/plan.js';
import type { Unit } from '../source/source.js';
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
}

/** What is public about a release: all that choosing and planning may see. */
export const publicFacts = (options: PublicFactsOptions, table?: Table): PublicFacts => ({
  ...planningDoor({
    domain: domainFromSchema(withOutside(options.schema, options.outside)),
    budget: budgetOf(options.budget),
    unit: options.unit ?? unitOf(options.schema),
    relation: options.relation,
  }),
  ...(table && { prior: supportOf(table), publicRows: table.length }),
  expectedRows: options.expectedRows,
});
