import type { Configuration } from '../bundle/configuration.js';
import { type RefittedParts, remakingBundle } from '../bundle/make-bundle.js';
import { manifestText } from '../bundle/manifest-text.js';
import type { AnyBundle } from '../bundle/open-bundle.js';
import type { Domain } from '../domain/domain.js';
import { isHouseholdTable } from '../domain/households/household-table.js';
import { InputError } from '../domain/input-error.js';
import { limits } from '../domain/limits.js';
import type { Running } from '../domain/running.js';
import { inTurns } from '../domain/turns.js';
import { bootstrap } from '../evaluate/bootstrap.js';
import type { AnyModel } from '../model/model.js';
import { priorOf } from '../model/support/prior-of.js';
import type { Threads } from '../model/support/weighted-rows.js';
import { sha256 } from '../privacy/ledger/sha256.js';
import { randomSeed } from '../random/random-seed.js';
import { seeded } from '../random/seeded.js';
import { type Estimator, type EstimatorRun, estimatorNamed } from '../release/refit/estimators.js';
import { isNoisy } from '../release/reweighted.js';
import { type Settings, settingsOf } from '../release/settings.js';
import { addReport } from './add-report.js';
import { checkRows } from './check-rows.js';
import { drawSynthetic, type SyntheticOptions } from './draw-synthetic.js';
import type { MadeRelease, MakeReleaseOptions } from './make-release.js';
import { checkNames, type PublicStart, type PublicTable, together } from './public-table.js';

/** What is made anew of a release. */
export interface RefitReleaseOptions
  extends Running,
    Threads,
    Pick<MakeReleaseOptions, 'fitters'>,
    Pick<SyntheticOptions, 'rows' | 'keepRows' | 'keepHouseholds'> {
  /** What fits the model anew, or its name; by default the model stays, and its rows are drawn anew. */
  readonly estimator?: Estimator | string | undefined;
  /** What is set of the estimator. */
  readonly settings?: Settings | undefined;
  /** Public tables of the same columns, read by the release's schema: for estimators that need one, for values within cells, and for the report. */
  readonly publicTables?: readonly PublicTable[] | undefined;
  /** Replicates for bounds, 0 for none; as many as the release has by default. */
  readonly bootstrap?: number | undefined;
  /** For drawing and for the fit, below 2^52; random by default. */
  readonly seed?: number | undefined;
  readonly software?: string | undefined;
  /** The form of the rows. */
  readonly configuration?: Pick<Configuration, 'format' | 'spreadsheet'> | undefined;
}

/**
 * Makes the model of a release anew from its measurements, or draws other rows from it: another estimator, other settings, more bounds, more
 * rows. Post-processing: no private table is opened and nothing is spent; charges, measurements and privacy statement are those of the
 * release, and `verify` checks them as before.
 *
 * @example
 * ```ts
 * const { files } = await makeRelease({ source, ledger, schema: wholeSchema, budget: { epsilon: 1, delta: 1e-9 } });
 * const { model } = await refitRelease(openBundle(files), { rows: 500 });
 * console.log(model.total);
 * ```
 */
export const refitRelease = async (
  bundle: AnyBundle,
  options: RefitReleaseOptions = {},
): Promise<MadeRelease<AnyModel>> => {
  const { manifest, measurements } = bundle;
  const { schema } = manifest;
  const { onProgress, signal, threads, workers, configuration = {} } = options;
  const running: Running = { onProgress, signal };
  const start = startOf(options.publicTables ?? []);
  const { domain } = bundle.model;
  const estimator = typeof options.estimator === 'string' ? estimatorNamed(options.estimator) : options.estimator;
  const settings = estimator === undefined ? undefined : settingsOf(estimator, options.settings ?? {});
  if (estimator === undefined) checkKept(bundle, options);
  else checkEstimator(estimator, bundle, start);
  if (options.rows !== undefined) checkRows(options.rows, domain);
  const seed = options.seed ?? randomSeed();
  const random = seeded(seed + 2 ** 52);
  const run: EstimatorRun = { random, threads, workers, ...running, ...publicPart(start, domain) };
  const fitted = estimator && (await estimator.fit(domain, measurements, run, settings!));
  const model = fitted?.model ?? bundle.model;
  const replicates = fitted
    ? await bootstrap(
        { ...fitted, measurements },
        {
          ...{ random, threads, fitters: options.fitters, ...running },
          replicates: replicateCount(bundle, model, options.bootstrap),
        },
      )
    : bundle.replicates;
  const kept: Record<string, Uint8Array> = {};
  const { spreadsheet, format = 'csv' } = configuration;
  const synthetic = await drawSynthetic(model, seed, kept, {
    ...running,
    schema,
    rows: options.rows,
    like: start?.values,
    spreadsheet,
    keepRows: options.keepRows,
    keepHouseholds: options.keepHouseholds,
  });
  const parts: RefittedParts = {
    model,
    replicates,
    synthetic,
    software: options.software ?? 'surmise',
    configuration: {
      rows: options.rows,
      seed: options.seed,
      bootstrap: options.bootstrap,
      format,
      spreadsheet: spreadsheet || undefined,
    },
    refit: {
      of: sha256(new TextEncoder().encode(manifestText(manifest))),
      estimator: estimator?.name,
      options: settings,
      notes: fitted?.notes,
      public: start && { file: start.name, rows: start.table.length },
    },
  };
  const made = await inTurns(remakingBundle(bundle, parts), running);
  const { files, manifest: remade, beyond, failure } = await addReport(made, { ...running, public: start?.table });
  return { manifest: remade, model, files: { ...files, ...kept }, beyond, reportFailure: failure };
};

/** One public table, or several as one. */
const startOf = (tables: readonly PublicTable[]): PublicStart | undefined => {
  checkNames(tables);
  return tables.length > 1 ? together(tables) : tables[0];
};

/** What estimators take of a public table. */
const publicPart = (
  start: PublicStart | undefined,
  domain: Domain,
): Pick<EstimatorRun, 'prior' | 'publicRows' | 'publicHouseholds'> => {
  if (start === undefined) return {};
  const { table } = start;
  if (JSON.stringify(table.domain) !== JSON.stringify(domain))
    throw new InputError(
      'public table: must be over the domain of the release, got another; read it by the schema of the release',
    );
  return isHouseholdTable(table)
    ? { publicHouseholds: table }
    : { prior: start.prior ?? priorOf(table), publicRows: table.length };
};

const checkKept = (
  { manifest }: Pick<AnyBundle, 'manifest'>,
  { settings, bootstrap: bounds }: RefitReleaseOptions,
): void => {
  const stray = Object.keys(settings ?? {})[0];
  if (stray !== undefined)
    throw new InputError(
      `settings: are those of an estimator, got ${JSON.stringify(stray)} without one; name an estimator`,
    );
  if (bounds !== undefined)
    throw new InputError('bootstrap: fits the model many times, got no estimator to do so; name one, or leave it out');
  if (manifest.sampling === undefined)
    throw new InputError(
      'release: must have a model that rows are drawn from, got one of separate estimates; name an estimator',
    );
};

const checkEstimator = (
  { name, needs, level }: Estimator,
  { manifest, measurements }: Pick<AnyBundle, 'manifest' | 'measurements'>,
  start: PublicStart | undefined,
): void => {
  const own = manifest.schema.twoLevel === undefined ? 'rows' : 'households';
  if (level !== own)
    throw new InputError(
      `estimator: must be one for ${own === 'rows' ? 'the rows of one table' : 'households'}, got ${name}; take another one`,
    );
  if (needs === 'public-table' && start === undefined)
    throw new InputError(`estimator: ${name} needs a public table, got none; name one`);
  if (!measurements.some(isNoisy))
    throw new InputError(
      `release: must hold noisy measurements to be fitted anew, got none: ${manifest.mechanism.name} keeps none; leave the estimator out to draw other rows`,
    );
};

/** Replicates that are wished for, and not more than can be read back. */
const replicateCount = (
  { replicates }: Pick<AnyBundle, 'replicates'>,
  model: AnyModel,
  wished: number | undefined,
): number => {
  const most = Math.floor(limits.replicateBytes / Math.max(1, model.cost?.bytes ?? 0));
  return Math.min(wished ?? replicates?.models.length ?? 0, most);
};
