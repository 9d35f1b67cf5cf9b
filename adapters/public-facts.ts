import { type Outside, withOutside } from '../src/domain/outside.js';
import { domainFromSchema } from '../src/domain/parse-schema.js';
import type { Schema } from '../src/domain/schema.js';
import type { Table } from '../src/domain/table.js';
import { supportOf } from '../src/model/support.js';
import { type BudgetRequest, budgetOf } from '../src/privacy/accounting/budget.js';
import { planningDoor } from '../src/privacy/planning-door.js';
import type { Relation } from '../src/query/relation.js';
import type { PublicFacts } from '../src/release/plan.js';
import { type PrivateFileOptions, unitOf } from './private-file.js';

export interface PublicFactsOptions {
  readonly schema: Schema;
  /** What becomes of values that the schema does not name; `declared` unless told. */
  readonly outside?: Outside;
  readonly budget: BudgetRequest;
  readonly relation?: Relation;
  readonly unit?: NonNullable<PrivateFileOptions['unit']>;
  /** What the person expects the number of private records to be. */
  readonly expectedRows?: number;
}

/** What is public about a release: all that choosing and planning may see. */
export const publicFacts = (options: PublicFactsOptions, table?: Table): PublicFacts => ({
  ...planningDoor({
    domain: domainFromSchema(withOutside(options.schema, options.outside)),
    budget: budgetOf(options.budget),
    unit: options.unit ?? unitOf(options.schema),
    ...(options.relation && { relation: options.relation }),
  }),
  ...(table && { prior: supportOf(table), publicRows: table.length }),
  ...(options.expectedRows === undefined ? {} : { expectedRows: options.expectedRows }),
});
