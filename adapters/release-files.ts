import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Attribute } from '../src/domain/attribute/attribute.js';
import { kindOf } from '../src/domain/attribute/kinds/kinds.js';
import { withOutside } from '../src/domain/schema/outside.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import type { Schema } from '../src/domain/schema/schema.js';
import { checkRelease } from '../src/flow/check-release.js';
import { type MadeRelease, type MakeReleaseOptions, makeRelease, type PublicTable } from '../src/flow/make-release.js';
import { publicFacts } from '../src/flow/public-facts.js';
import { resolveMechanism } from '../src/flow/resolve-mechanism.js';
import { unitOf } from '../src/flow/unit-of.js';
import { webEntropy } from '../src/privacy/entropy.js';
import type { Unit } from '../src/source/source.js';
import { nodeWorkers } from './node-workers.js';
import { openPrivateTable, type PrivateTableOptions } from './private/open-private-table.js';
import type { PublicFile } from './private/public-file.js';
import { readTableAndValues } from './table/read-table.js';
import { type WriteRowsOptions, writeRows } from './write-rows.js';

/** What is said of a file release as of any other; the files are in the place of a source, a ledger and tables. */
type Told = Omit<
  MakeReleaseOptions,
  'source' | 'ledger' | 'publicTable' | 'why' | 'configuration' | 'keepRows' | 'threads' | 'workers'
>;

/** The private file, the public one, and what the release is told. */
export interface ReleaseFilesOptions
  extends Told,
    WriteRowsOptions,
    Pick<PrivateTableOptions, 'ledger' | 'anotherLedger' | 'dataset' | 'onOpen'> {
  /** The private table: CSV, TSV, JSON lines or Parquet. */
  readonly private: string;
  /** A public table of the same columns, for mechanisms that need one. */
  readonly public?: string | undefined;
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
  checkRelease({ ...told, hasPublic: options.public !== undefined });
  const publics = options.public === undefined ? [] : [options.public];
  const { ledger, open, ...looked } = await openPrivateTable(options.private, { ...told, publics });
  const [publicTable] = await Promise.all(looked.publics.map((file) => readPublic(file, schema, options)));
  const chosen = resolveMechanism(options.mechanism, options.settings, publicFacts(told, publicTable?.table));
  const source = await open();
  try {
    const keepRows = writeRows(directory, domainFromSchema(schema), options);
    const made = await makeRelease({
      ...told,
      ...chosen,
      source,
      ledger,
      publicTable,
      keepRows,
      workers: nodeWorkers,
    });
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
