import { InputError } from '../src/domain/input-error.js';
import type { Running } from '../src/domain/running.js';
import { type Outside, withOutside } from '../src/domain/schema/outside.js';
import { domainFromSchema } from '../src/domain/schema/parse-schema.js';
import type { Schema } from '../src/domain/schema/schema.js';
import {
  type CheckedPublicTables,
  type CheckPublicTablesOptions,
  checkPublicTables,
  checkShare,
  type NamedTable,
  priorsOf,
} from '../src/flow/check-public.js';
import { type ComparedPublicTable, comparePublicTables } from '../src/flow/compare-public.js';
import { unitOf } from '../src/flow/unit-of.js';
import { webEntropy } from '../src/privacy/entropy.js';
import type { Unit } from '../src/query/unit.js';
import type { Random } from '../src/random/random.js';
import { nodeWorkers } from './node-workers.js';
import { assertDistinct } from './private/looks-private.js';
import { openPrivateTable, type PrivateTableOptions } from './private/open-private-table.js';
import type { PublicFile } from './private/public-file.js';
import { readTable } from './table/read-table.js';

/** Public files and the schema they are read by. */
export interface PublicFiles extends Running {
  /** The public tables to judge, at least one. */
  readonly public: readonly string[];
  readonly schema: Schema;
  /** What becomes of values that the schema does not name, in all tables; `declared` unless told. */
  readonly outside?: Outside | undefined;
  /** Orders rounds: post-processing. */
  readonly random: Random;
  /** Pairs of attributes with more cells are left out; `mostPairCells` by default. */
  readonly maxCells?: number | undefined;
}

type Told = Pick<CheckPublicTablesOptions, 'budget' | 'share' | 'relation' | 'entropy' | 'onReserved'> &
  Pick<PrivateTableOptions, 'ledger' | 'anotherLedger' | 'dataset' | 'onOpen' | 'query'>;

/** The private file, its ledger, and what the check may spend. */
export interface CheckPublicFilesOptions extends PublicFiles, Told {
  readonly unit?: Unit | undefined;
}

/** What was found of a table, under the name of its file. */
type OfFile<Found> = Omit<Found, 'name'> & { readonly file: string };

export type CheckedPublicFile = OfFile<CheckedPublicTables['tables'][number]>;

/** What the check of public files found, and what it cost. */
export interface CheckedPublicFiles extends Omit<CheckedPublicTables, 'tables'> {
  readonly tables: readonly CheckedPublicFile[];
}

/** How far one public file is from another. */
export type ComparedPublicFile = OfFile<ComparedPublicTable>;

const ofFile = <Found extends { readonly name: string }>({ name, ...found }: Found): OfFile<Found> => ({
  ...found,
  file: name,
});

const readAll = async (
  files: readonly (string | PublicFile)[],
  { schema, outside, onProgress, signal }: PublicFiles,
): Promise<NamedTable[]> => {
  if (schema.twoLevel !== undefined)
    throw new InputError(
      'schema: must describe one table for this check, got twoLevel; take it out to check the flat table',
    );
  const domain = domainFromSchema(withOutside(schema, outside));
  const tables: NamedTable[] = [];
  for (const file of files)
    tables.push({
      name: typeof file === 'string' ? file : file.shown,
      table: await readTable(file, domain, { outside, onProgress, signal }),
    });
  return tables;
};

/** Judges public tables as priors for a private file, at a price: see `checkPublicTables`. */
export const checkPublicFiles = async (
  privateFile: string,
  options: CheckPublicFilesOptions,
): Promise<CheckedPublicFiles> => {
  checkShare(options.share);
  const { entropy = webEntropy(), unit = unitOf(options.schema) } = options;
  const opening = { ...options, unit, entropy, publics: options.public };
  const { ledger, publics, open } = await openPrivateTable(privateFile, opening);
  const publicTables = await readAll(publics, options);
  priorsOf(publicTables);
  const source = await open();
  try {
    const run = { ...options, source, ledger, entropy, publicTables, workers: nodeWorkers };
    const { tables, ...rest } = await checkPublicTables(run);
    return { tables: tables.map(ofFile), ...rest };
  } finally {
    await source.close();
  }
};

/** Judges public tables against a public validation table that stands for the private one: see `comparePublicTables`. */
export const comparePublicFiles = async (against: string, options: PublicFiles): Promise<ComparedPublicFile[]> => {
  for (const file of options.public) await assertDistinct(file, against);
  const [{ table }] = await readAll([against], options);
  const publicTables = await readAll(options.public, options);
  const compared = await comparePublicTables({ ...options, against: table, publicTables, workers: nodeWorkers });
  return compared.map(ofFile);
};
