import type { HouseholdTable } from '../domain/households/household-table.js';
import type { Running } from '../domain/running.js';
import type { Table } from '../domain/table.js';
import type { Answering, HouseholdModel, Model } from '../model/model.js';
import type { Support } from '../model/support/support.js';
import type { Threads } from '../model/support/weighted-rows.js';
import type { Session } from '../privacy/session/session.js';
import type { Workload } from '../query/workload/workload.js';
import type { Random } from '../random/random.js';
import type { Fit, Plan, PublicFacts } from './plan.js';
import type { Released } from './released.js';
import type { Settings } from './settings.js';

/** How a mechanism is run: threads, progress, and a generator for post-processing, which no privacy depends on. */
export interface MechanismRun extends Running, Threads {
  readonly random: Random;
  /** What the release should answer well; the mechanism's own default where nobody says. */
  readonly workload?: Workload | undefined;
  /** The public table row by row, where there is one: for mechanisms that need more of it than its distinct rows. */
  readonly publicTable?: Table | undefined;
  /** The public households with their persons, where there are some: for mechanisms of two levels, whose `prior` is undefined. */
  readonly publicHouseholds?: HouseholdTable | undefined;
}

/** Settings that were found on public data, and what a person should know of them. */
export interface Tuned<S extends Settings = Settings> {
  readonly settings: S;
  readonly remarks: readonly string[];
}

/** A setting that may be made smaller. */
export interface Lighter<Name extends string = string> {
  readonly setting: Name;
  readonly least: number;
  /** What less of it means, in words. */
  readonly what: string;
}

/**
 * One way to make a release, whatever its model is of, as programs and the command line find it: choosing, dry runs, releases and
 * reports go through this entry. `settings` hold a value of the default's type for every default (`settingsOf`).
 */
export interface MechanismOf<M extends Answering, S extends Settings = Settings> {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** What it needs besides the session: the rows of a public table as a prior, a domain small enough to list, or nothing. */
  readonly needs: 'public-table' | 'small-domain' | 'nothing';
  /** Everything that can be set, with its default. */
  readonly defaults: S;
  /** The words that a setting may be, where it may not be any. */
  readonly choices?: { readonly [Name in keyof S]?: readonly string[] } | undefined;
  /** Settings without a default that would do: it is never chosen unless somebody sets them. */
  readonly required?: readonly (keyof S & string)[] | undefined;
  /** Whether it takes minutes where others take seconds: a comparison of all mechanisms leaves it out unless it is named. */
  readonly slow?: boolean | undefined;
  /** Bootstrap replicates that a release makes unless told: as many as cost no more time than the release, or none. */
  readonly replicates?: number | undefined;
  /** What it can do with less of, where a run is to stay within a time or a memory: a number of its settings, at least so much, and what less of it means. */
  readonly lighter?: readonly Lighter<keyof S & string>[] | undefined;
  /**
   * Whether a release with these settings, within a budget that has a delta, spends it on measurements with Gaussian noise, but for a small part at most: it is then counted by its exact loss
   * where the ledger allows, in which private choices cost more. It is not, unless this says so; either way what is charged follows from what was done.
   */
  readonly mostlyGaussian?: ((settings: S) => boolean) | undefined;
  /** Whether a release with these settings has a distribution to draw synthetic rows from; it has unless this says otherwise. */
  readonly drawsRows?: ((settings: S) => boolean) | undefined;
  /** How well it is placed to make a release with these settings, by public facts. Cheap: nothing is estimated. */
  readonly fits: (facts: PublicFacts, settings: S) => Fit;
  /**
   * Settings that `release` finds for itself on public data, as it would find them by public facts, for `plan` to say what comes of them,
   * with remarks, a sentence each; absent where there are none.
   */
  readonly tune?:
    | ((facts: PublicFacts, settings: S, running: Running & Threads) => Promise<Tuned<S> | undefined>)
    | undefined;
  /** What `release` would do with these settings, by public facts; the facts fit. */
  readonly plan: (facts: PublicFacts, settings: S) => Plan;
  /** Runs it. The prior is there when there is a public table. */
  readonly release: (
    session: Session,
    prior: Support | undefined,
    run: MechanismRun,
    settings: S,
  ) => Promise<Released<M>>;
}

/** A mechanism that models the rows of one table. */
export interface Mechanism<S extends Settings = Settings> extends MechanismOf<Model, S> {
  readonly level?: 'rows' | undefined;
}

/** A mechanism that models households with their persons: it takes domains with households only. */
export interface HouseholdMechanism<S extends Settings = Settings> extends MechanismOf<HouseholdModel, S> {
  readonly level: 'households';
}

/** A mechanism of either level. */
export type AnyMechanism = Mechanism | HouseholdMechanism;

/** A mechanism as the registry lists it: its own type of settings is known to itself alone. */
export const entry = <S extends Settings>(mechanism: Mechanism<S>): Mechanism => mechanism as unknown as Mechanism;

/** The same for households. */
export const householdEntry = <S extends Settings>(mechanism: HouseholdMechanism<S>): HouseholdMechanism =>
  mechanism as unknown as HouseholdMechanism;
