import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../src/domain/input-error.js';
import { withOutside } from '../src/domain/schema/outside.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import { checkRelease } from '../src/flow/check-release.js';
import { keepBoth } from '../src/flow/keep-rows.js';
import { type MadeRelease, type MakeReleaseOptions, makePrepared } from '../src/flow/make-release.js';
import { prepareRelease } from '../src/flow/prepare-release.js';
import type { PublicsOptions } from '../src/flow/publics.js';
import { fittedBefore } from '../src/flow/release-journal.js';
import { unitOf } from '../src/flow/unit-of.js';
import type { AnyModel, HouseholdModel } from '../src/model/model.js';
import { webEntropy } from '../src/privacy/entropy.js';
import type { Unit } from '../src/query/unit.js';
import { nodeFitters } from './node-fitters.js';
import { nodeWorkers } from './node-workers.js';
import { openPrivateTable, type PrivateTableOptions } from './private/open-private-table.js';
import { checkPublicNames, type PublicFilesOptions, publicNames } from './public-files.js';
import { readPublic } from './read-public.js';
import { syncSeconds } from './sync-seconds.js';
import { type WriteRowsOptions, writeRows } from './write-rows.js';

/** What is said of a file release as of any other; the files are in the place of a source, a ledger and tables. */
type Told = Omit<
  MakeReleaseOptions,
  | 'source'
  | 'ledger'
  | keyof PublicsOptions
  | 'why'
  | 'configuration'
  | 'keepRows'
  | 'keepHouseholds'
  | 'workers'
  | 'fitters'
>;

/** The private file, the public one, and what the release is told. */
export interface ReleaseFilesOptions
  extends Told,
    WriteRowsOptions,
    PublicFilesOptions,
    Pick<PrivateTableOptions, 'ledger' | 'anotherLedger' | 'dataset' | 'onOpen' | 'households' | 'query'> {
  /** The private table: CSV, TSV, JSON lines or Parquet, or the address of a table in a database. */
  readonly private: string;
  /** Whom the guarantee protects; what the schema says, or a row, by default. */
  readonly unit?: Unit | undefined;
  /** What the report is called; the name of the dataset by default. It is published with the release. */
  readonly title?: string | undefined;
}

/**
 * Makes a release of a private file and puts it into an empty directory: the synthetic rows, the model, the measurements,
 * bundle.json and a report; see `makeRelease`. Give it to `writeWholeDirectory`, so that a directory appears whole or not at all.
 */
export const releaseFiles = async (directory: string, options: ReleaseFilesOptions): Promise<MadeRelease> => {
  if (options.schema.twoLevel !== undefined)
    throw new InputError(
      'schema: must describe one table for this release, got twoLevel; release its households, or take it out to release the flat table',
    );
  // By the schema, the mechanism is one for rows.
  return (await releaseOfEither(directory, options)) as MadeRelease;
};

/**
 * Makes a release of households with their persons: of a file of persons, and of one of households that shares their key, if there is one. Both
 * are bound to one ledger. The directory gets two synthetic tables with fresh keys; see `makeHouseholdRelease`.
 */
export const releaseHouseholdFiles = async (
  directory: string,
  options: ReleaseFilesOptions,
): Promise<MadeRelease<HouseholdModel>> => {
  if (options.schema.twoLevel === undefined)
    throw new InputError('schema: households need `twoLevel`, got none; add its key, household and maxSize');
  return (await releaseOfEither(directory, options)) as MadeRelease<HouseholdModel>;
};

const releaseOfEither = async (directory: string, options: ReleaseFilesOptions): Promise<MadeRelease<AnyModel>> => {
  const { outside, dataset, format, spreadsheet, publicHouseholds, onProgress, signal } = options;
  const { entropy = webEntropy() } = options;
  const schema = withOutside(options.schema, outside);
  const homes = publicHouseholds === undefined ? undefined : path.basename(publicHouseholds);
  const configuration = { format, spreadsheet, dataset, publicHouseholds: homes, title: options.title };
  const told = { ...options, schema, unit: options.unit ?? unitOf(schema), entropy, configuration };
  const names = publicNames(options);
  checkRelease({ ...told, hasPublic: names.length > 0 });
  const files = await checkPublicNames(options, schema);
  const { ledger, open, ...looked } = await openPrivateTable(options.private, {
    ...told,
    publics: files,
    resuming: options.journal?.found !== undefined,
  });
  const tables = await Promise.all(
    looked.publics.slice(0, names.length + (options.standIn === undefined ? 0 : 1)).map((file) =>
      readPublic(file, schema, {
        households: publicHouseholds === undefined ? undefined : looked.publics.at(-1),
        values: true,
        outside,
        onProgress,
        signal,
      }),
    ),
  );
  const { publicWeights } = options;
  const publics = {
    publicTables: tables.slice(0, names.length).map((table, i) => ({ ...table, weight: publicWeights?.[i] })),
    publics: options.publics,
    standIn: options.standIn === undefined ? undefined : tables[names.length],
    choosingShare: options.choosingShare,
    workers: nodeWorkers,
    fitters: nodeFitters,
    syncSeconds: options.syncSeconds ?? (await syncSeconds(directory)),
  };
  const prepared = await prepareRelease({
    ...told,
    ...publics,
    counted: ledger.budget,
    fitted: fittedBefore(options.journal),
  });
  const source = await open();
  try {
    const keepRows = writeRows(directory, domainFromSchema(schema), options);
    const keepHouseholds = keepBoth((domain, name) => writeRows(directory, domain, options, name));
    const made = await makePrepared({ ...told, ...publics, source, ledger, keepRows, keepHouseholds }, prepared);
    for (const [name, bytes] of Object.entries(made.files)) await writeFile(path.join(directory, name), bytes);
    return made;
  } finally {
    await source.close();
  }
};
