import { InputError } from '../src/domain/input-error.js';
import type { Outside } from '../src/domain/outside.js';
import type { Running } from '../src/domain/running.js';
import type { Table } from '../src/domain/table.js';
import type { Contestant, Judgement } from '../src/evaluate/compare-mechanisms.js';
import { halves, resampled } from '../src/evaluate/resample.js';
import type { BudgetRequest } from '../src/privacy/accounting/budget.js';
import { seeded } from '../src/random/seeded.js';
import { chooseMechanism, type RankedMechanism, rankMechanisms } from '../src/release/choose-mechanism.js';
import { assumedRows, type Plan, type PublicFacts } from '../src/release/plan.js';
import { type Mechanism, type Settings, settingsOf } from '../src/release/registry.js';
import { compareTables } from './compare-tables.js';
import { type PublicFactsOptions, publicFacts } from './public-facts.js';
import { readTable } from './read-table.js';

export interface PlanReleaseOptions extends PublicFactsOptions, Running {
  /** A public table of the same columns, if there is one. */
  readonly public?: string;
  /** Where the private table is, if anybody knows, so that it is not taken for public under another name. It is not opened. */
  readonly private?: string;
  readonly mechanism: Mechanism | 'auto';
  readonly settings?: Settings | ((mechanism: Mechanism) => Settings);
  /** Replicates for bounds, 0 for none; the mechanism's own number by default. */
  readonly bootstrap?: number;
  /** Run the mechanism on the public table in place of the private one, to see its errors and time. */
  readonly rehearse?: boolean;
}

/** A release that has not been made. */
export interface PlannedRelease {
  readonly mechanism: Mechanism;
  readonly settings: Settings;
  /** Why the mechanism was chosen, in a sentence; absent when it was named. */
  readonly why?: string;
  readonly ranked: readonly RankedMechanism[];
  readonly plan: Plan;
  readonly facts: PublicFacts;
  /** What would become of values that the schema does not name. */
  readonly outside: Outside;
  /** How often the fit is repeated for bounds, beside the fit itself. */
  readonly replicates: number;
  readonly rehearsal?: Rehearsal;
}

/** What one run showed in which one half of the public table played the private table and the other half the public one. */
export interface Rehearsal extends Pick<Contestant, 'error' | 'largest' | 'seconds'> {
  /** Rows drawn, with replacement, to play the private table. */
  readonly rows: number;
  readonly pairs: number;
  /** The half that played the public table, as it is. */
  readonly asIs: Judgement;
}

/**
 * Plans a release from public facts: which mechanism, what it would measure with which noise, how long it would take. The
 * private table is not opened, nor is its ledger.
 */
export const planRelease = async (options: PlanReleaseOptions): Promise<PlannedRelease> => {
  const { onProgress, signal } = options;
  const running = { ...(onProgress && { onProgress }), ...(signal && { signal }) };
  const facts = publicFacts(options);
  const reading = { ...running, private: options.private, ...(options.outside && { outside: options.outside }) };
  const table = options.public === undefined ? undefined : await readTable(options.public, facts.domain, reading);
  const known = publicFacts(options, table);
  const { mechanism, why, ranked } =
    options.mechanism === 'auto'
      ? chooseMechanism(known)
      : { mechanism: options.mechanism, why: undefined, ranked: rankMechanisms(known) };
  const fit = mechanism.fits(known);
  if (!fit.able) throw new InputError(`mechanism: ${mechanism.name} cannot make this release: ${fit.why}`);
  const { settings: given = {} } = options;
  const settings = settingsOf(mechanism, typeof given === 'function' ? given(mechanism) : given);
  const plan = mechanism.plan(known, settings);
  const rehearsal = options.rehearse
    ? await rehearse(known, table, mechanism, settings, options.budget, running)
    : undefined;
  return {
    mechanism,
    settings,
    ranked,
    plan,
    facts: known,
    outside: options.outside ?? 'declared',
    replicates: options.bootstrap ?? mechanism.replicates ?? 0,
    ...(why === undefined ? {} : { why }),
    ...(rehearsal && { rehearsal }),
  };
};

/** Any seed would do: nothing private is near. */
const rehearsalSeed = 1;

const rehearse = async (
  facts: PublicFacts,
  table: Table | undefined,
  mechanism: Mechanism,
  settings: Settings,
  budget: BudgetRequest,
  running: Running,
): Promise<Rehearsal> => {
  if (table === undefined || table.length < 2)
    throw new InputError(
      'option --rehearse: needs a public table of two rows or more to play the private one, got none; add --public FILE',
    );
  if (facts.unit.maxRecords > 1)
    throw new InputError(
      'option --rehearse: can rehearse the protection of rows, got a unit of several rows; leave one of them out',
    );
  const random = seeded(rehearsalSeed);
  const [first, publicTable] = halves(table, random);
  const rows = assumedRows(facts);
  const { contestants, asIs, pairs, unable } = await compareTables({
    ...running,
    standIn: resampled(first, rows, random),
    publicTable,
    mechanisms: [mechanism],
    settings: () => settings,
    budgets: [budget],
    runs: 1,
    relation: facts.relation,
    seed: rehearsalSeed,
  });
  if (contestants.length === 0) throw new InputError(`option --rehearse: ${unable[0].why}`);
  const { error, largest, seconds } = contestants[0];
  return { rows, pairs, error, largest, seconds, asIs: asIs! };
};
