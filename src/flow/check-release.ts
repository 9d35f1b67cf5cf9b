import type { Configuration } from '../bundle/configuration.js';
import { constraintsOf } from '../domain/constraints/constraints-of.js';
import { InputError } from '../domain/input-error.js';
import { limits } from '../domain/limits.js';
import { domainFromSchema } from '../domain/schema/parse-schema.js';
import type { Schema } from '../domain/schema/schema.js';
import { type BudgetRequest, budgetOf } from '../privacy/accounting/budget.js';
import { type Unit, unitText } from '../query/unit.js';
import type { AnyMechanism } from '../release/mechanism.js';
import { householdMechanisms } from '../release/registry.js';
import { type Settings, settingsOf } from '../release/settings.js';
import { checkTitle } from '../report/check-title.js';
import { checkRows } from './check-rows.js';
import { type MechanismChoice, namedMechanism } from './named-mechanism.js';

/** What a release is told that can be wrong by itself. */
export interface ReleaseRequest {
  readonly schema: Schema;
  readonly unit: Unit;
  readonly budget: BudgetRequest;
  readonly mechanism?: MechanismChoice;
  readonly settings?: Settings | ((mechanism: AnyMechanism) => Settings) | undefined;
  readonly hasPublic: boolean;
  /** Number of synthetic rows; of households, where there are two levels. */
  readonly rows?: number | undefined;
  readonly bootstrap?: number | undefined;
  readonly configuration?: Pick<Configuration, 'format' | 'spreadsheet' | 'title'> | undefined;
}

export const settingsFor = (mechanism: AnyMechanism, settings: ReleaseRequest['settings'] = {}): Settings =>
  settingsOf(mechanism, typeof settings === 'function' ? settings(mechanism) : settings);

/** Refuses what can be wrong before any table is opened. */
export const checkRelease = (request: ReleaseRequest): void => {
  const { schema, unit, rows, bootstrap = 0, configuration = {} } = request;
  const mechanism = namedMechanism(request.mechanism);
  const domain = domainFromSchema(schema);
  // Constraints are made out for the cells that the schema has by now: what is too much is refused here.
  constraintsOf(domain);
  checkLevels(request, mechanism);
  budgetOf(request.budget);
  if (mechanism !== 'auto') settingsFor(mechanism, request.settings);
  if (mechanism !== 'auto' && mechanism.needs === 'public-table' && !request.hasPublic)
    throw new InputError(
      `public table: ${mechanism.name} needs one as a prior, got none; name one, or use a mechanism that needs none`,
    );
  if (unit.kind === 'id' && domain.attributes.some(({ name }) => name === unit.column))
    throw new InputError(
      `unit: an id says who a row belongs to and cannot be an attribute as well, got ${JSON.stringify(unit.column)}; take it out of the schema`,
    );
  if (configuration.spreadsheet && configuration.format === 'parquet')
    throw new InputError('spreadsheet: is for CSV files, got Parquet; leave one of them out');
  checkTitle(configuration.title);
  if (rows !== undefined) checkRows(rows, domain);
  if (bootstrap > limits.replicates)
    throw new InputError(`bootstrap: must be at most ${limits.replicates} replicates, got ${bootstrap}; ask for fewer`);
};

/** Refuses what is for households where the schema has none, and what is for rows where it has. */
const checkLevels = ({ schema, unit }: ReleaseRequest, mechanism: AnyMechanism | 'auto'): void => {
  const isOfHouseholds = mechanism !== 'auto' && mechanism.level === 'households';
  const protectsHome = unit.kind === 'household' || unit.kind === 'person';
  if (schema.twoLevel === undefined) {
    if (isOfHouseholds)
      throw new InputError(
        `mechanism: ${mechanism.name} models households, got a schema without twoLevel; add its key, household and maxSize, or name a mechanism for rows`,
      );
    if (protectsHome)
      throw new InputError(
        `unit: a ${unit.kind} is protected where the schema has twoLevel, got one without; add its key, household and maxSize, or protect rows`,
      );
    return;
  }
  if (mechanism !== 'auto' && !isOfHouseholds)
    throw new InputError(
      `mechanism: ${mechanism.name} models the rows of one table, got a schema with twoLevel; use ${householdMechanisms.map(({ name }) => name).join(' or ')}, or take twoLevel out to release the flat table`,
    );
  if (!protectsHome)
    throw new InputError(
      `unit: must be a household or a person where the schema has twoLevel, got ${unitText(unit)}; leave the id out`,
    );
};
