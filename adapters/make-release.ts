import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Configuration } from '../src/bundle/configuration.js';
import { makeBundle } from '../src/bundle/make-bundle.js';
import { type Manifest, manifestName } from '../src/bundle/manifest.js';
import { readManifest } from '../src/bundle/manifest-text.js';
import type { Domain } from '../src/domain/domain.js';
import type { Columns } from '../src/domain/encode-table.js';
import { InputError } from '../src/domain/input-error.js';
import { limits } from '../src/domain/limits.js';
import { type Outside, withOutside } from '../src/domain/outside.js';
import { domainFromSchema } from '../src/domain/parse-schema.js';
import type { Running } from '../src/domain/running.js';
import type { Schema } from '../src/domain/schema.js';
import { bootstrap } from '../src/evaluate/bootstrap.js';
import { heldBytes } from '../src/model/held-bytes.js';
import type { Model } from '../src/model/model.js';
import { supportOf } from '../src/model/support.js';
import { type BudgetRequest, budgetOf } from '../src/privacy/accounting/budget.js';
import { type Entropy, webEntropy } from '../src/privacy/entropy.js';
import { checkRoom } from '../src/privacy/ledger-cost.js';
import { openSession } from '../src/privacy/open-session.js';
import type { Session } from '../src/privacy/session.js';
import type { Relation } from '../src/query/relation.js';
import { seeded } from '../src/random/seeded.js';
import { chooseMechanism } from '../src/release/choose-mechanism.js';
import { type Mechanism, type Settings, settingsOf } from '../src/release/registry.js';
import { addReport } from './add-report.js';
import { describeFile } from './bundle-directory.js';
import { checkOrigin } from './check-origin.js';
import { checkRows, mostRows } from './check-rows.js';
import type { ClosableSource } from './duckdb-source.js';
import { assertNoCopy, assertPublic } from './looks-private.js';
import { nodeWorkers } from './node-workers.js';
import { openPrivateFile, type PrivateFileOptions, unitOf } from './private-file.js';
import { publicFacts } from './public-facts.js';
import { randomSeed } from './random-seed.js';
import { readColumns } from './read-columns.js';
import { readTable } from './read-table.js';
import { tableFile } from './table-file.js';
import { tableLedger } from './table-ledger.js';
import { writeTable } from './write-table.js';

export interface MakeReleaseOptions extends Running {
  /** The private table: CSV, TSV, JSON lines or Parquet. */
  readonly private: string;
  /** A public table of the same columns, for mechanisms that need one. */
  readonly public?: string;
  /** Declared, or learned from public data; never from the private table. */
  readonly schema: Schema;
  /** What becomes of values that the schema does not name, in both tables; `declared` unless told. The bundle says which. */
  readonly outside?: Outside;
  /** One of the registry, or `auto`: chosen by what is public (`chooseMechanism`). */
  readonly mechanism: Mechanism | 'auto';
  /** What is set of the mechanism, or a way to tell once it is known. */
  readonly settings?: Settings | ((mechanism: Mechanism) => Settings);
  readonly budget: BudgetRequest;
  /** `add-remove` by default. */
  readonly relation?: Relation;
  /** Whom the guarantee protects; what the schema says, or a row, by default. */
  readonly unit?: NonNullable<PrivateFileOptions['unit']>;
  /** The private table's ledger, beside it by default; made with this budget as its total when there is none. */
  readonly ledger?: string;
  /** Start that ledger although the table has one: the budgets are then for the caller to add up. */
  readonly anotherLedger?: boolean;
  /** Name of the dataset in its ledger; a random one by default. */
  readonly dataset?: string;
  /** Number of synthetic rows; the model's noisy total by default, never the private number. */
  readonly rows?: number;
  readonly format?: 'csv' | 'parquet';
  /** Write the CSV file for a spreadsheet (see `writeTable`); not unless told. */
  readonly spreadsheet?: boolean;
  /** Replicates for bounds (see `bootstrap`), 0 for none; the mechanism's own number by default. */
  readonly bootstrap?: number;
  /** For sampling and post-processing only, below 2^52; random by default. */
  readonly seed?: number;
  /** For noise. Web Crypto by default; with a seeded one the bundle says that it protects nobody. */
  readonly entropy?: Entropy;
  /** The program that makes it, for the bundle. */
  readonly software: string;
  /** Hears that nothing was refused so far and the private table is about to be opened. */
  readonly onOpen?: () => void;
  /** Hears of every reservation in the ledger: from the first one on, something may have been spent. */
  readonly onReserved?: () => void;
}

export interface MadeRelease {
  readonly manifest: Manifest;
  readonly model: Model;
  /** Why the mechanism was chosen, in a sentence; absent when it was named. */
  readonly why?: string;
  /** Why there is no report, should it have failed: the release is whole without it. */
  readonly reportFailure?: string;
}

/**
 * Makes a release of a private file and puts it into an empty directory: the synthetic rows, the model, the measurements,
 * bundle.json and a report. Everything that can be refused is refused before anything is spent; what fails later has spent what it
 * has spent, and the ledger says so. Give it to `writeWholeDirectory`, so that a directory appears whole or not at all.
 */
export const makeRelease = async (directory: string, options: MakeReleaseOptions): Promise<MadeRelease> => {
  const { onProgress, signal, relation = 'add-remove', format = 'csv', outside = 'declared' } = options;
  const schema = withOutside(options.schema, outside);
  const running = { ...(onProgress && { onProgress }), ...(signal && { signal }) };
  if (options.mechanism !== 'auto') settingsFor(options.mechanism, options);
  const budget = budgetOf(options.budget);
  const domain = domainFromSchema(schema);
  checkOptions(options, domain);
  await tableFile(options.private);
  if (options.public !== undefined) {
    await assertPublic(options.public, { private: options.private });
    await assertNoCopy(options.public, options.private);
  }
  await checkOrigin(schema, options.private);
  const entropy = options.entropy ?? webEntropy();
  const unit = options.unit ?? unitOf(schema);
  const ledger = await tableLedger(options.private, {
    ledger: options.ledger,
    another: options.anotherLedger,
    dataset: options.dataset,
    budget,
    relation,
    unit,
    seeds: entropy.seeded,
  });
  if (ledger.exists) await checkRoom(ledger, budget);

  const table =
    options.public === undefined
      ? undefined
      : await readTable(options.public, domain, { ...running, outside, private: options.private });
  const prior = table === undefined ? undefined : supportOf(table);
  const { mechanism, why } =
    options.mechanism === 'auto'
      ? chooseMechanism(publicFacts({ ...options, schema }, table))
      : { mechanism: options.mechanism };
  const settings = settingsFor(mechanism, options);
  const like = options.public === undefined ? undefined : await publicValues(options.public, domain, running);
  const seed = options.seed ?? randomSeed();

  options.onOpen?.();
  const source: ClosableSource = await openPrivateFile(options.private, schema, {
    random: entropy,
    dataset: ledger.dataset,
    outside,
    unit,
    ...running,
  });
  let session: Session | undefined;
  try {
    session = openSession({
      source,
      budget: options.budget,
      ledger,
      relation,
      entropy,
      ...(options.onReserved && { onReserved: options.onReserved }),
      ...running,
    });
    const run = { random: seeded(seed + 2 ** 52), workers: nodeWorkers, ...running };
    const released = await mechanism.release(session, prior, run, settings);
    // All that follows is post-processing: what was not spent goes back at once.
    await session.close();
    const { model } = released;
    // Not more than can be read back: all of them have the model's tables.
    const most = Math.floor(limits.replicateBytes / Math.max(1, heldBytes(model)));
    const count = Math.min(options.bootstrap ?? mechanism.replicates ?? 0, most);
    const replicates = await bootstrap(released, { random: run.random, replicates: count, ...running });
    // The budget is spent by now: more rows than can be drawn are no reason to lose it.
    const rows = options.rows ?? Math.max(1, Math.min(mostRows(domain), Math.round(model.total)));
    const random = seeded(seed);
    const file = path.join(directory, `synthetic.${format}`);
    await writeTable(file, domain, model.sample(rows, random), {
      random,
      ...(options.spreadsheet && { spreadsheet: true }),
      ...(like && { like }),
      ...running,
      onProgress: (progress) => onProgress?.({ ...progress, total: rows }),
    });
    const drawn = like === undefined ? 'uniform within cells' : 'like the public table within cells';
    const values = options.spreadsheet
      ? `${drawn}; an apostrophe before what a spreadsheet takes for a formula`
      : drawn;
    const made = makeBundle({
      released,
      ...(replicates && { replicates }),
      session,
      ledger: await ledger.status(),
      schema,
      mechanism: { name: mechanism.name, options: settings },
      software: options.software,
      configuration: configurationOf(options, mechanism, settings, why),
      ...(table && { public: { file: path.basename(options.public!), rows: table.length } }),
      synthetic: { sampling: { rows, seed, values }, file: await describeFile(file) },
    });
    const { files, failure } = await addReport(made, { ...running, ...(table && { public: table }) });
    for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(directory, name), bytes);
    return {
      manifest: readManifest(files[manifestName]).manifest,
      model,
      ...(why === undefined ? {} : { why }),
      ...(failure === undefined ? {} : { reportFailure: failure }),
    };
  } finally {
    await session?.close();
    await source.close();
  }
};

const settingsFor = (mechanism: Mechanism, { settings = {} }: Pick<MakeReleaseOptions, 'settings'>): Settings =>
  settingsOf(mechanism, typeof settings === 'function' ? settings(mechanism) : settings);

/** The choices in effect: names of files and no paths, and nothing that says what the private table is called. */
const configurationOf = (
  options: MakeReleaseOptions,
  mechanism: Mechanism,
  settings: Settings,
  why: string | undefined,
): Configuration => {
  const { budget, unit, relation = 'add-remove', format = 'csv', outside = 'declared' } = options;
  const { epsilon, delta, rho } = budget;
  return {
    ...(options.public === undefined ? {} : { public: path.basename(options.public) }),
    ...(epsilon === undefined ? {} : { epsilon }),
    ...(rho === undefined ? {} : { rho }),
    ...(delta === undefined ? (rho === undefined ? { pure: true } : {}) : { delta }),
    relation,
    outside,
    ...(unit?.kind === 'id' ? { unitId: unit.column, maxRecords: unit.maxRecords } : {}),
    ...(options.dataset === undefined ? {} : { dataset: options.dataset }),
    mechanism: mechanism.name,
    ...(why === undefined ? {} : { why }),
    set: settings,
    ...(options.rows === undefined ? {} : { rows: options.rows }),
    ...(options.bootstrap === undefined ? {} : { bootstrap: options.bootstrap }),
    format,
    ...(options.spreadsheet ? { spreadsheet: true } : {}),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
  };
};

/** What can be wrong before any file is opened. */
const checkOptions = ({ mechanism, schema, unit, rows, ...options }: MakeReleaseOptions, domain: Domain): void => {
  if (mechanism !== 'auto' && mechanism.needs === 'public-table' && options.public === undefined)
    throw new InputError(
      `public table: ${mechanism.name} needs one as a prior, got none; name one, or use a mechanism that needs none`,
    );
  if (schema.twoLevel !== undefined)
    throw new InputError(
      'schema: must describe one table for this release, got twoLevel; take it out to release the flat table',
    );
  if (unit?.kind === 'id' && domain.attributes.some(({ name }) => name === unit.column))
    throw new InputError(
      `unit: an id says who a row belongs to and cannot be an attribute as well, got ${JSON.stringify(unit.column)}; take it out of the schema`,
    );
  if (options.spreadsheet && options.format === 'parquet')
    throw new InputError('spreadsheet: is for CSV files, got Parquet; leave one of them out');
  if (rows !== undefined) checkRows(rows, domain);
  const replicates = options.bootstrap ?? 0;
  if (replicates > limits.replicates)
    throw new InputError(
      `bootstrap: must be at most ${limits.replicates} replicates, got ${replicates}; ask for fewer`,
    );
};

/** Rows of a public table whose values are kept to draw from. */
const mostValues = 1_000_000;

/** The public values of the attributes whose cells hold more than one value: synthetic values are drawn like them. */
const publicValues = async (file: string, domain: Domain, running: Running): Promise<Columns | undefined> => {
  const columns = domain.attributes
    .filter(
      ({ spec }) =>
        spec.type === 'number' || spec.type === 'date' || (spec.type === 'integer' && (spec.bins || spec.edges)),
    )
    .map(({ name }) => name);
  if (columns.length === 0) return undefined;
  const values = new Map<string, unknown[]>(columns.map((name) => [name, []]));
  let rows = 0;
  for await (const part of readColumns(file, { columns, ...running })) {
    for (const name of columns) for (let i = 0; i < part[name].length; i++) values.get(name)!.push(part[name][i]);
    rows += part[columns[0]].length;
    if (rows >= mostValues) break;
  }
  return Object.fromEntries(values);
};
