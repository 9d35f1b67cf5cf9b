import { type DiscoveryRecord, keepingRecord } from '../bundle/discovery-record.js';
import { asksAnything, asksValues, type Draft } from '../domain/discover/draft.js';
import { InputError } from '../domain/input-error.js';
import { withOutside } from '../domain/schema/outside.js';
import type { Schema } from '../domain/schema/schema.js';
import { machineRates } from '../kernel/calibrate.js';
import type { Model } from '../model/model.js';
import { type BudgetRequest, budgetOf } from '../privacy/accounting/budget.js';
import { openDiscovery } from '../privacy/discovery/open-discovery.js';
import { webEntropy } from '../privacy/entropy.js';
import type { Unit } from '../query/unit.js';
import { discoverSchema } from '../release/discover/discover-schema.js';
import { NothingFound } from '../release/discover/nothing-found.js';
import type { RawSource } from '../source/raw-source.js';
import type { PrivateSource } from '../source/source.js';
import { settingsFor } from './check-release.js';
import { type MadeRelease, type MakeReleaseOptions, makeWith, tellForecast } from './make-release.js';
import { namedMechanism } from './named-mechanism.js';
import { prepareRelease } from './prepare-release.js';
import type { PublicsOptions } from './publics.js';
import { beginJournal, ratesBefore } from './release-journal.js';

/** The part of delta for the thresholds of values. */
const thresholdsPart = { numerator: 1, denominator: 10 } as const;

/** What a release is told whose schema is asked of the private table. */
export interface DiscoverReleaseOptions
  extends Omit<MakeReleaseOptions, 'source' | 'schema' | 'workload' | keyof PublicsOptions> {
  /** The private columns as they are. */
  readonly raw: RawSource;
  /** What is known of the columns, and what is to be asked for. */
  readonly draft: Draft;
  /** The part of the budget for asking; by default it follows the number of rows, which is asked first (`discoverShares`). */
  readonly discoverShare?: number | undefined;
  /** Opens the table by the schema that was found; it is closed by whoever opened it. */
  readonly open: (schema: Schema) => Promise<PrivateSource>;
}

/** A release and the schema that was found for it. */
export interface DiscoveredRelease extends MadeRelease {
  readonly schema: Schema;
  readonly notes: readonly { readonly column: string; readonly note: string }[];
}

/** The budget of a release whose schema is asked for: a part of delta is for thresholds, where values are asked for. */
export const discoveryBudget = (draft: Draft, budget: BudgetRequest): BudgetRequest => {
  if (!asksValues(draft)) return budget;
  if (budget.delta === undefined)
    throw new InputError(
      'budget: values of columns can be asked for with a delta only, got none; give a delta, or list the values in the schema',
      { kind: 'state-budget' },
    );
  return { ...budget, thresholds: thresholdsPart };
};

/** Refuses what can be wrong with a discovery before any table is opened. */
export const checkDiscovery = ({
  draft,
  budget,
  unit,
  mechanism,
  settings,
  outside,
  discoverShare,
}: Pick<DiscoverReleaseOptions, 'draft' | 'budget' | 'mechanism' | 'settings' | 'outside' | 'discoverShare'> & {
  readonly unit: Unit;
}): void => {
  if (!asksAnything(draft))
    throw new InputError(
      'schema: must leave something to be asked for, got one that leaves nothing; release by it as it is',
    );
  if (discoverShare !== undefined && !(discoverShare > 0 && discoverShare <= 0.9))
    throw new InputError(
      `discover share: must be above 0 and at most 0.9, got ${discoverShare}; leave it out, and it follows the number of rows`,
    );
  if (outside === 'stop')
    throw new InputError(
      'outside: rare values have to go somewhere when values are asked for, got stop; use declared, other or clip',
    );
  if (unit.kind === 'household' || unit.kind === 'person' || draft.twoLevel !== undefined)
    throw new InputError('schema: columns of households cannot be asked for, got twoLevel; declare them');
  if (unit.kind === 'id' && draft.attributes.some(({ name, type }) => name === unit.column && type !== 'id'))
    throw new InputError(
      `unit: an id says who a row belongs to and cannot be an attribute as well, got ${JSON.stringify(unit.column)}; take it out of the schema`,
    );
  budgetOf(discoveryBudget(draft, budget));
  const named = namedMechanism(mechanism);
  if (named === 'auto') return;
  if (named.needs === 'public-table' || named.level === 'households')
    throw new InputError(
      `mechanism: must need no public table and model rows where a schema is asked for, got ${named.name}; leave it out, or declare the schema`,
    );
  settingsFor(named, settings);
};

/**
 * Makes a release of a table of which little is known: asks for a schema with a part of the budget, opens the table by it, and releases with the
 * rest, all under one name in the ledger and in one journal. What was asked for stands in the bundle.
 */
export const makeDiscovered = async (options: DiscoverReleaseOptions): Promise<DiscoveredRelease> => {
  const { raw, draft, relation = 'add-remove', outside, onProgress, signal } = options;
  checkDiscovery({ ...options, unit: raw.unit });
  const budget = discoveryBudget(draft, options.budget);
  const entropy = options.entropy ?? webEntropy();
  const named = namedMechanism(options.mechanism);
  // What has to be given up is known only once there is a schema: a run that goes on must come to the same, so it reckons with the same machine.
  const rates = options.limits && (ratesBefore(options.journal) ?? (await machineRates()));
  const { release, seed, journal } = await beginJournal(options.journal, options.seed, () => ({
    schema: draft,
    configuration: {
      share: options.discoverShare,
      relation,
      outside,
      budget,
      unit: raw.unit,
      dataset: options.configuration?.dataset,
      mechanism: named === 'auto' ? named : { name: named.name, settings: settingsFor(named, options.settings) },
    },
    publics: [],
    rates,
  }));
  const discovery = openDiscovery({
    source: raw,
    release,
    journal,
    budget,
    ledger: options.ledger,
    relation,
    entropy,
    onReserved: options.onReserved,
    onProgress,
    signal,
  });
  try {
    const { door, acts } = keepingRecord(discovery);
    const found = await discoverSchema(door, draft, { share: options.discoverShare });
    const { share } = found;
    const record: DiscoveryRecord = { draft, share, acts };
    const schema = withOutside(found.schema, outside);
    await raw.close();
    const source = await options.open(schema);
    const session = discovery.session(source);
    const told = { ...options, source, schema, budget, entropy };
    const prepared = await prepareRelease({
      ...told,
      unit: source.unit,
      part: 1 - share,
      rates,
      // The session is open: it is counted as it is.
      counted: { ...session.budget, either: undefined },
    });
    await tellForecast(told, prepared);
    const made = (await makeWith(session, seed, told, prepared, { record })) as MadeRelease<Model>;
    return { ...made, schema, notes: found.notes };
  } catch (error) {
    if (error instanceof NothingFound) await discovery.end();
    throw error;
  } finally {
    await raw.close();
    // What was paid for can be gone on with, whatever happened.
    await discovery.suspend();
  }
};
