import type { Configuration } from '../bundle/configuration.js';
import type { DiscoveryRecord } from '../bundle/discovery-record.js';
import { type BundleParts, makingBundle } from '../bundle/make-bundle.js';
import type { Manifest } from '../bundle/manifest.js';
import { InputError } from '../domain/input-error.js';
import { limits } from '../domain/limits.js';
import type { Running } from '../domain/running.js';
import type { Outside } from '../domain/schema/outside.js';
import type { Schema } from '../domain/schema/schema.js';
import { inTurns } from '../domain/turns.js';
import type { OpenFitters } from '../estimate/graphical/apart.js';
import type { BeyondEnd } from '../evaluate/beyond-ends.js';
import { bootstrap } from '../evaluate/bootstrap.js';
import { machineRates } from '../kernel/calibrate.js';
import type { AnyModel, HouseholdModel, Model } from '../model/model.js';
import type { Threads } from '../model/support/weighted-rows.js';
import type { BudgetRequest } from '../privacy/accounting/budget.js';
import { type Entropy, webEntropy } from '../privacy/entropy.js';
import type { Ledger } from '../privacy/ledger/ledger.js';
import { openSession } from '../privacy/session/open-session.js';
import { restOf } from '../privacy/session/rest-of.js';
import type { Session } from '../privacy/session/session.js';
import type { Relation } from '../query/relation.js';
import type { Workload } from '../query/workload/workload.js';
import { seeded } from '../random/seeded.js';
import type { AnyMechanism } from '../release/mechanism.js';
import type { Settings } from '../release/settings.js';
import type { PrivateSource } from '../source/source.js';
import { addReport } from './add-report.js';
import { checkRelease } from './check-release.js';
import { type ChosenStart, chooseStart } from './choose-start.js';
import { drawSynthetic } from './draw-synthetic.js';
import type { Forecast } from './forecast.js';
import type { KeepJournal } from './keep-journal.js';
import type { KeepHouseholds, KeepRows } from './keep-rows.js';
import type { MechanismChoice } from './named-mechanism.js';
import { type Prepared, prepareRelease } from './prepare-release.js';
import { givenPublics, type PublicsOptions, wayOf } from './publics.js';
import { beginJournal, fittedBefore } from './release-journal.js';
import type { Start } from './start.js';
import { type Fitted, forecastFor, type RunLimits } from './within-limits.js';

/** What is released, within which budget, by which mechanism. */
export interface MakeReleaseOptions extends Running, Threads, PublicsOptions {
  /** The private rows, opened; whom the guarantee protects is the source's unit. */
  readonly source: PrivateSource;
  /** The account of the source's dataset. */
  readonly ledger: Ledger;
  /** What the source was opened by: declared, or learned from public data; never from the private table. */
  readonly schema: Schema;
  readonly mechanism?: MechanismChoice;
  /** What is set of the mechanism, or a way to tell once it is known. */
  readonly settings?: Settings | ((mechanism: AnyMechanism) => Settings) | undefined;
  /** Why that mechanism, where it was chosen before. */
  readonly why?: string | undefined;
  readonly budget: BudgetRequest;
  /** `add-remove` by default. */
  readonly relation?: Relation | undefined;
  /** What became of values that the schema does not name; `declared` by default. */
  readonly outside?: Outside | undefined;
  /** What the release should answer well, each query by its weight; the mechanism's own default unless told. */
  readonly workload?: Workload | undefined;
  /** Number of synthetic rows, or of households where the schema has them; the model's noisy total by default, never the private number. */
  readonly rows?: number | undefined;
  /** Replicates for bounds (see `bootstrap`), 0 for none; the mechanism's own number by default. */
  readonly bootstrap?: number | undefined;
  /** For sampling and post-processing only, below 2^52; random by default. */
  readonly seed?: number | undefined;
  /** For noise. Web Crypto by default; with any other the bundle says that it protects nobody. */
  readonly entropy?: Entropy | undefined;
  /** The program that makes it, for the bundle; `surmise` by default. */
  readonly software?: string | undefined;
  /** What else the bundle's configuration says: the form of the rows, a name that was given to the dataset, the title of the report. */
  readonly configuration?:
    | Pick<Configuration, 'format' | 'spreadsheet' | 'dataset' | 'publicHouseholds' | 'title'>
    | undefined;
  /** Where the synthetic rows go; among the files, as CSV, by default. */
  readonly keepRows?: KeepRows | undefined;
  /** The same for the tables of households and of persons, where the schema has them. */
  readonly keepHouseholds?: KeepHouseholds | undefined;
  /** Keeps what is paid for, so that a release that was interrupted can go on; nothing is kept by default. */
  readonly journal?: KeepJournal | undefined;
  /** What the run may take, by its forecast: the mechanism is made to stay within, and what it gave up stands in the bundle. */
  readonly limits?: RunLimits | undefined;
  /** What the person expects the number of private records to be, for the forecast and the choices that a plan makes: said, never looked up. */
  readonly expectedRows?: number | undefined;
  /** Threads that fit replicates of large graphical models beside this one (`nodeFitters` in Node); not used where a memory is to be kept within. Without them one is fitted after the other. */
  readonly fitters?: OpenFitters | undefined;
  /** Seconds that a record takes to reach the disk on which acts are recorded, for the forecast; 0 by default. */
  readonly syncSeconds?: number | undefined;
  /** Hears, before anything is spent, how long it will take. */
  readonly onForecast?: ((forecast: Forecast) => void) | undefined;
  /** Hears of every reservation in the ledger: from the first one on, something may have been spent. */
  readonly onReserved?: (() => void) | undefined;
}

/** A release: its model, its files, its manifest. */
export interface MadeRelease<M extends AnyModel = Model> {
  readonly manifest: Manifest;
  readonly model: M;
  /** The bundle, by name: with the synthetic rows unless `keepRows` has them. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** What lies beyond the ends that the schema declares, where these are open: noisy shares, as everything here. */
  readonly beyond: readonly BeyondEnd[];
  /** Why the mechanism was chosen, in a sentence; absent when it was named. */
  readonly why?: string | undefined;
  /** Why there is no report, should it have failed: the release is whole without it. */
  readonly reportFailure?: string | undefined;
}

/**
 * Makes a release of an opened source: runs a mechanism within the budget, draws synthetic rows from its model, and makes the bundle
 * with its report. Knows nothing of paths: rows and files are handed out. Everything that can be refused is refused before anything is
 * spent; what fails later has spent what it has spent, and the ledger says so. The source and the ledger stay open.
 *
 * @example
 * ```ts
 * const { model, files } = await makeRelease({ source, ledger, schema: wholeSchema, budget: { epsilon: 1, delta: 1e-9 } });
 * console.log(model.total, Object.keys(files));
 * ```
 */
export const makeRelease = async (options: MakeReleaseOptions): Promise<MadeRelease> => {
  if (options.schema.twoLevel !== undefined)
    throw new InputError(
      'schema: must describe one table for this release, got twoLevel; release its households, or take it out to release the flat table',
    );
  // By the schema, the mechanism is one for rows.
  return (await makeOfEither(options)) as MadeRelease;
};

/**
 * Makes a release of households with their persons: as `makeRelease` does of rows, with two synthetic tables, `persons` and `households`, that share
 * fresh keys. The source counts households (`memorySource` with their keys), and a public table is one that was put together by household.
 */
export const makeHouseholdRelease = async (options: MakeReleaseOptions): Promise<MadeRelease<HouseholdModel>> => {
  if (options.schema.twoLevel === undefined)
    throw new InputError('schema: households need `twoLevel`, got none; add its key, household and maxSize');
  return (await makeOfEither(options)) as MadeRelease<HouseholdModel>;
};

const makeOfEither = async (options: MakeReleaseOptions): Promise<MadeRelease<AnyModel>> => {
  const { unit } = options.source;
  checkRelease({ ...options, unit, hasPublic: givenPublics(options).length > 0 });
  return makePrepared(
    options,
    await prepareRelease({ ...options, unit, counted: options.ledger.budget, fitted: fittedBefore(options.journal) }),
  );
};

/** The same of what was prepared before, by the same options: for those who prepare before they open the source. */
export const makePrepared = async (options: MakeReleaseOptions, prepared: Prepared): Promise<MadeRelease<AnyModel>> => {
  const { source, ledger, schema, relation = 'add-remove' } = options;
  const running: Running = { onProgress: options.onProgress, signal: options.signal };
  checkDrawn(options, prepared);
  await tellForecast(options, prepared);
  const entropy = options.entropy ?? webEntropy();
  const { release, seed, journal } = await beginJournal(options.journal, options.seed, () => ({
    schema,
    configuration: prepared.starts.map((start) => decidingPart(configurationOf(options, start))),
    publics: givenPublics(options).map(({ name, table }) => ({ name, columns: table.columns })),
    fitted: options.limits && fittedOf(prepared.starts[0]),
  }));
  const session = openSession({
    source,
    release,
    journal,
    // All starts are of one ledger and one request; where they differ in how they are counted, as the first.
    budget: prepared.starts[0].budget,
    ledger,
    relation,
    entropy,
    onReserved: options.onReserved,
    ...running,
  });
  return makeWith(session, seed, options, prepared);
};

/** Refuses rows of a mechanism that draws none. */
const checkDrawn = ({ rows }: Pick<MakeReleaseOptions, 'rows'>, { starts }: Prepared): void => {
  for (const start of starts)
    if (rows !== undefined && !drawsRows(start))
      throw new InputError(
        `rows: ${start.mechanism.name} draws none with these settings, since it makes no distribution, got ${rows}; leave them out, or change the settings`,
      );
};

/** What was asked of the private table before there was a schema, within the same session. */
export interface Asked {
  readonly record: DiscoveryRecord;
}

/** Makes a release with an open session: all of its budget, or what a discovery left of it. The session is closed at the end. */
export const makeWith = async (
  session: Session,
  seed: number,
  options: MakeReleaseOptions,
  prepared: Prepared,
  asked?: Asked,
): Promise<MadeRelease<AnyModel>> => {
  const { ledger, schema, threads, workers } = options;
  const running: Running = { onProgress: options.onProgress, signal: options.signal };
  try {
    checkDrawn(options, prepared);
    const random = seeded(seed + 2 ** 52);
    const rest = asked === undefined ? session : restOf(session);
    const chosen = await chooseStart(rest, prepared, { random, threads, workers, ...running });
    const { publicTable, facts, mechanism, settings, why = options.why } = chosen.start;
    const { prior, workload, publicHouseholds } = facts;
    const run = { random, workload, publicTable: facts.publicTable, publicHouseholds, threads, workers, ...running };
    const released = await mechanism.release(chosen.session, prior, run, settings);
    // All that follows is post-processing: what was not spent goes back at once.
    await session.close();
    const { model } = released;
    // Not more than can be read back: all of them have the model's tables.
    const most = Math.floor(limits.replicateBytes / Math.max(1, model.cost?.bytes ?? 0));
    const count = Math.min(chosen.start.replicates, most);
    const fitters = options.limits?.bytes === undefined ? options.fitters : undefined;
    const replicates = await bootstrap(released, { random, replicates: count, threads, fitters, ...running });
    const kept: Record<string, Uint8Array> = {};
    const parts: BundleParts = {
      released: { ...released, measurements: [...released.measurements, ...chosen.measurements] },
      replicates,
      session,
      ledger: await ledger.status(),
      schema,
      discovery: asked?.record,
      mechanism: { name: mechanism.name, options: settings },
      software: options.software ?? 'surmise',
      configuration: configurationOf(options, { ...chosen.start, why }),
      public: publicOf(chosen),
      synthetic: drawsRows(chosen.start)
        ? await drawSynthetic(model, seed, kept, {
            ...options,
            like: publicTable?.values,
            spreadsheet: options.configuration?.spreadsheet,
          })
        : undefined,
    };
    const made = await inTurns(makingBundle(parts), running);
    const { files, manifest, beyond, failure } = await addReport(made, { ...running, public: publicTable?.table });
    return {
      manifest,
      model,
      files: { ...files, ...kept },
      beyond,
      why,
      reportFailure: failure,
    };
  } finally {
    // With a journal what was paid for can be gone on with, whatever happened.
    await session.suspend();
  }
};

const fittedOf = ({ settings, replicates, gaveUp = [] }: Start): Fitted => ({ settings, replicates, gaveUp });

const limitsOf = (limits: RunLimits | undefined, gaveUp: readonly string[]): Configuration['limits'] => {
  if (limits === undefined) return undefined;
  const { seconds, bytes } = limits;
  return {
    ...(seconds === undefined ? {} : { seconds }),
    ...(bytes === undefined ? {} : { bytes }),
    gaveUp: [...gaveUp],
  };
};

/** Tells what the first start is forecast to take. */
export const tellForecast = async (options: MakeReleaseOptions, { starts: [start] }: Prepared): Promise<void> => {
  if (options.onForecast === undefined) return;
  const { rows, threads = 2, syncSeconds } = options;
  const oneByOne = options.limits?.bytes !== undefined || options.fitters === undefined;
  options.onForecast(forecastFor({ ...start, rows, threads, oneByOne, syncSeconds }, await machineRates()));
};

/** What decides about the acts of a release: the rest is what is made of their answers, and may be another when it goes on. */
const decidingPart = ({
  rows,
  bootstrap,
  format,
  spreadsheet,
  seed,
  title,
  limits,
  ...deciding
}: Configuration): unknown => deciding;

/** What the bundle says of the public table that was used. */
const publicOf = ({ start: { publicTable, facts }, among }: ChosenStart): Manifest['public'] =>
  publicTable && {
    file: publicTable.name,
    rows: publicTable.table.length,
    households: facts.publicHouseholds && facts.publicRows,
    among,
  };

/** Whether there will be a distribution to draw rows from. */
const drawsRows = ({ mechanism, settings }: Start): boolean => mechanism.drawsRows?.(settings) ?? true;

/** The choices in effect: names of files and no paths, and nothing that says what the private table is called. */
const configurationOf = (
  options: MakeReleaseOptions,
  { facts, mechanism, settings, why, gaveUp = [] }: Start,
): Configuration => {
  const { budget, source, relation = 'add-remove', outside = 'declared', configuration = {} } = options;
  const { epsilon, delta, rho } = budget;
  const { unit } = source;
  const { format = 'csv', spreadsheet, dataset, title } = configuration;
  const isDeclared = options.schema.unit?.id === (unit.kind === 'id' ? unit.column : undefined);
  const names = givenPublics(options).map(({ name }) => name);
  const weights = givenPublics(options).map(({ weight = 1 }) => weight);
  return {
    public: names.length > 1 ? names : names[0],
    publics: wayOf(options),
    publicWeights: weights.some((weight) => weight !== 1) ? weights : undefined,
    standIn: options.standIn?.name,
    share: options.choosingShare,
    epsilon,
    rho,
    delta,
    pure: (delta === undefined && rho === undefined) || undefined,
    relation,
    outside,
    ...(unit.kind === 'id' && !isDeclared ? { unitId: unit.column, maxRecords: unit.maxRecords } : {}),
    unit: unit.kind === 'household' || unit.kind === 'person' ? unit.kind : undefined,
    publicHouseholds: configuration.publicHouseholds,
    dataset,
    title,
    mechanism: mechanism.name,
    why,
    set: settings,
    workload: facts.workload,
    rows: options.rows,
    bootstrap: options.bootstrap,
    format,
    spreadsheet: spreadsheet || undefined,
    seed: options.seed,
    limits: limitsOf(options.limits, gaveUp),
  };
};
