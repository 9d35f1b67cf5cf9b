import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { kindOf } from '../src/domain/attribute/kinds/kinds.js';
import type { Domain } from '../src/domain/domain.js';
import type { Columns } from '../src/domain/encode/encode-table.js';
import type { Running } from '../src/domain/running.js';
import { type Outside, withOutside } from '../src/domain/schema/outside.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import type { Schema } from '../src/domain/schema/schema.js';
import { checkRelease } from '../src/flow/check-release.js';
import { type MadeRelease, type MakeReleaseOptions, makeRelease, type PublicTable } from '../src/flow/make-release.js';
import { publicFacts } from '../src/flow/public-facts.js';
import { resolveMechanism } from '../src/flow/resolve-mechanism.js';
import { unitOf } from '../src/flow/unit-of.js';
import { webEntropy } from '../src/privacy/entropy.js';
import type { Unit } from '../src/source/source.js';
import { describeFile } from './bundle-directory.js';
import { nodeWorkers } from './node-workers.js';
import { openPrivateTable, type PrivateTableOptions } from './private/open-private-table.js';
import { readColumns } from './table/read-columns.js';
import { readTable } from './table/read-table.js';
import { writeTable } from './table/write-table.js';

type Told = Pick<
  MakeReleaseOptions,
  'mechanism' | 'settings' | 'workload' | 'budget' | 'relation' | 'entropy' | 'software' | 'onReserved'
>;

export interface ReleaseFilesOptions
  extends Running,
    Told,
    Pick<PrivateTableOptions, 'ledger' | 'anotherLedger' | 'dataset' | 'onOpen'> {
  /** The private table: CSV, TSV, JSON lines or Parquet. */
  readonly private: string;
  /** A public table of the same columns, for mechanisms that need one. */
  readonly public?: string | undefined;
  /** Declared, or learned from public data; never from the private table. */
  readonly schema: Schema;
  /** What becomes of values that the schema does not name, in both tables; `declared` unless told. The bundle says which. */
  readonly outside?: Outside | undefined;
  /** Whom the guarantee protects; what the schema says, or a row, by default. */
  readonly unit?: Unit | undefined;
  /** Number of synthetic rows; the model's noisy total by default, never the private number. */
  readonly rows?: number | undefined;
  readonly format?: 'csv' | 'parquet' | undefined;
  /** Write the CSV file for a spreadsheet (see `writeTable`); not unless told. */
  readonly spreadsheet?: boolean | undefined;
  /** Replicates for bounds (see `bootstrap`), 0 for none; the mechanism's own number by default. */
  readonly bootstrap?: number | undefined;
  /** For sampling and post-processing only, below 2^52; random by default. */
  readonly seed?: number | undefined;
}

/**
 * Makes a release of a private file and puts it into an empty directory: the synthetic rows, the model, the measurements,
 * bundle.json and a report; see `makeRelease`. Give it to `writeWholeDirectory`, so that a directory appears whole or not at all.
 */
export const releaseFiles = async (directory: string, options: ReleaseFilesOptions): Promise<MadeRelease> => {
  const { onProgress, signal, outside = 'declared', format = 'csv', spreadsheet, dataset } = options;
  const running: Running = { onProgress, signal };
  const schema = withOutside(options.schema, outside);
  const unit = options.unit ?? unitOf(schema);
  const configuration = {
    format,
    ...(spreadsheet ? { spreadsheet } : {}),
    dataset,
  };
  checkRelease({ ...options, schema, unit, configuration, hasPublic: options.public !== undefined });
  const entropy = options.entropy ?? webEntropy();
  const opened = { ...options, schema, outside, unit, entropy };
  const file = path.join(directory, `synthetic.${format}`);
  const table = await openPrivateTable(options.private, {
    ...opened,
    publics: options.public === undefined ? [] : [options.public],
  });
  const publicTable =
    options.public === undefined
      ? undefined
      : await readPublic(options.public, schema, { ...running, outside, private: options.private });
  const facts = publicFacts({ ...options, schema, unit }, publicTable?.table);
  const chosen = resolveMechanism(options.mechanism, options.settings, facts);
  const source = await table.open();
  try {
    const made = await makeRelease({
      ...options,
      ...chosen,
      source,
      ledger: table.ledger,
      schema,
      outside,
      entropy,
      publicTable,
      configuration,
      workers: nodeWorkers,
      keepRows: async (rows, decoding) => {
        await writeTable(file, domainFromSchema(schema), rows, { ...decoding, ...(spreadsheet && { spreadsheet }) });
        return describeFile(file);
      },
    });
    for (const [name, bytes] of Object.entries(made.files)) await writeFile(path.join(directory, name), bytes);
    return made;
  } finally {
    await source.close();
  }
};

/** A public table and its values, read in one go each. */
const readPublic = async (
  file: string,
  schema: Schema,
  options: Running & { readonly outside: Outside; readonly private: string },
): Promise<PublicTable> => {
  const domain = domainFromSchema(schema);
  const table = await readTable(file, domain, options);
  const { outside: _, private: __, ...running } = options;
  return { name: path.basename(file), table, values: await publicValues(file, domain, running) };
};

/** Rows of a public table whose values are kept to draw from. */
const mostValues = 1_000_000;

/** The public values of the attributes whose cells hold more than one value: synthetic values are drawn like them. */
const publicValues = async (file: string, domain: Domain, running: Running): Promise<Columns | undefined> => {
  const columns = domain.attributes
    .filter(({ spec }) => kindOf(spec).single(spec) === undefined)
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
