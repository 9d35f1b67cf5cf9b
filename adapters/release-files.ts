import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Attribute } from '../src/domain/attribute/attribute.js';
import { kindOf } from '../src/domain/attribute/kinds/kinds.js';
import { withOutside } from '../src/domain/schema/outside.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import type { Schema } from '../src/domain/schema/schema.js';
import { checkRelease } from '../src/flow/check-release.js';
import { type MadeRelease, type MakeReleaseOptions, makePrepared } from '../src/flow/make-release.js';
import { prepareRelease } from '../src/flow/prepare-release.js';
import type { PublicTable } from '../src/flow/public-table.js';
import type { PublicsOptions } from '../src/flow/publics.js';
import { unitOf } from '../src/flow/unit-of.js';
import { webEntropy } from '../src/privacy/entropy.js';
import type { Unit } from '../src/query/unit.js';
import { nodeWorkers } from './node-workers.js';
import { openPrivateTable, type PrivateTableOptions } from './private/open-private-table.js';
import type { PublicFile } from './private/public-file.js';
import { checkPublicNames, type PublicFilesOptions, publicNames } from './public-files.js';
import { readTableAndValues } from './table/read-table.js';
import { type WriteRowsOptions, writeRows } from './write-rows.js';

/** What is said of a file release as of any other; the files are in the place of a source, a ledger and tables. */
type Told = Omit<
  MakeReleaseOptions,
  'source' | 'ledger' | keyof PublicsOptions | 'why' | 'configuration' | 'keepRows' | 'threads' | 'workers'
>;

/** The private file, the public one, and what the release is told. */
export interface ReleaseFilesOptions
  extends Told,
    WriteRowsOptions,
    PublicFilesOptions,
    Pick<PrivateTableOptions, 'ledger' | 'anotherLedger' | 'dataset' | 'onOpen'> {
  /** The private table: CSV, TSV, JSON lines or Parquet. */
  readonly private: string;
  /** Whom the guarantee protects; what the schema says, or a row, by default. */
  readonly unit?: Unit | undefined;
}

/**
 * Makes a release of a private file and puts it into an empty directory: the synthetic rows, the model, the measurements,
 * bundle.json and a report; see `makeRelease`. Give it to `writeWholeDirectory`, so that a directory appears whole or not at all.
 */
export const releaseFiles = async (directory: string, options: ReleaseFilesOptions): Promise<MadeRelease> => {
  const { outside, dataset, format, entropy = webEntropy() } = options;
  const schema = withOutside(options.schema, outside);
  const configuration = { format, spreadsheet: options.spreadsheet, dataset };
  const told = { ...options, schema, unit: options.unit ?? unitOf(schema), entropy, configuration };
  const names = publicNames(options);
  checkRelease({ ...told, hasPublic: names.length > 0 });
  const files = await checkPublicNames(options);
  const { ledger, open, ...looked } = await openPrivateTable(options.private, { ...told, publics: files });
  const tables = await Promise.all(looked.publics.map((file) => readPublic(file, schema, options)));
  const { publicWeights } = options;
  const publics = {
    publicTables: tables.slice(0, names.length).map((table, i) => ({ ...table, weight: publicWeights?.[i] })),
    publics: options.publics,
    standIn: options.standIn === undefined ? undefined : tables[names.length],
    choosingShare: options.choosingShare,
    workers: nodeWorkers,
  };
  const prepared = await prepareRelease({ ...told, ...publics });
  const source = await open();
  try {
    const keepRows = writeRows(directory, domainFromSchema(schema), options);
    const made = await makePrepared({ ...told, ...publics, source, ledger, keepRows }, prepared);
    for (const [name, bytes] of Object.entries(made.files)) await writeFile(path.join(directory, name), bytes);
    return made;
  } finally {
    await source.close();
  }
};

/** Attributes whose cells hold more than one value: synthetic values are drawn like the public ones. */
const holdsMany = ({ spec }: Attribute): boolean => kindOf(spec).single(spec) === undefined;

/** A public table and the values within its cells, in one pass. */
const readPublic = async (
  file: PublicFile,
  schema: Schema,
  { outside, onProgress, signal }: ReleaseFilesOptions,
): Promise<PublicTable> => ({
  name: path.basename(file.shown),
  ...(await readTableAndValues(file, domainFromSchema(schema), holdsMany, { outside, onProgress, signal })),
});
