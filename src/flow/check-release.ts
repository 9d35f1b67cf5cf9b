import type { Configuration } from '../bundle/configuration.js';
import { InputError } from '../domain/input-error.js';
import { limits } from '../domain/limits.js';
import { domainFromSchema } from '../domain/schema/parse-schema.js';
import type { Schema } from '../domain/schema/schema.js';
import { type BudgetRequest, budgetOf } from '../privacy/accounting/budget.js';
import type { Unit } from '../query/unit.js';
import type { Mechanism } from '../release/mechanism.js';
import { type Settings, settingsOf } from '../release/settings.js';
import { checkRows } from './check-rows.js';
import { type MechanismChoice, namedMechanism } from './named-mechanism.js';

/** What a release is told that can be wrong by itself. */
export interface ReleaseRequest {
  readonly schema: Schema;
  readonly unit: Unit;
  readonly budget: BudgetRequest;
  readonly mechanism?: MechanismChoice;
  readonly settings?: Settings | ((mechanism: Mechanism) => Settings) | undefined;
  readonly hasPublic: boolean;
  readonly rows?: number | undefined;
  readonly bootstrap?: number | undefined;
  readonly configuration?: Pick<Configuration, 'format' | 'spreadsheet'> | undefined;
}

export const settingsFor = (mechanism: Mechanism, settings: ReleaseRequest['settings'] = {}): Settings =>
  settingsOf(mechanism, typeof settings === 'function' ? settings(mechanism) : settings);

/** Refuses what can be wrong before any table is opened. */
export const checkRelease = (request: ReleaseRequest): void => {
  const { schema, unit, rows, bootstrap = 0, configuration = {} } = request;
  const mechanism = namedMechanism(request.mechanism);
  const domain = domainFromSchema(schema);
  budgetOf(request.budget);
  if (mechanism !== 'auto') settingsFor(mechanism, request.settings);
  if (mechanism !== 'auto' && mechanism.needs === 'public-table' && !request.hasPublic)
    throw new InputError(
      `public table: ${mechanism.name} needs one as a prior, got none; name one, or use a mechanism that needs none`,
    );
  if (schema.twoLevel !== undefined)
    throw new InputError(
      'schema: must describe one table for this release, got twoLevel; take it out to release the flat table',
    );
  if (unit.kind === 'id' && domain.attributes.some(({ name }) => name === unit.column))
    throw new InputError(
      `unit: an id says who a row belongs to and cannot be an attribute as well, got ${JSON.stringify(unit.column)}; take it out of the schema`,
    );
  if (configuration.spreadsheet && configuration.format === 'parquet')
    throw new InputError('spreadsheet: is for CSV files, got Parquet; leave one of them out');
  if (rows !== undefined) checkRows(rows, domain);
  if (bootstrap > limits.replicates)
    throw new InputError(`bootstrap: must be at most ${limits.replicates} replicates, got ${bootstrap}; ask for fewer`);
};
