import { type Domain, project } from '../../src/domain/domain.js';
import { addSize } from '../../src/domain/households/encode-households.js';
import { groupHouseholds } from '../../src/domain/households/group-households.js';
import type { HouseholdTable, KeyedTable } from '../../src/domain/households/household-table.js';
import { joinHouseholds } from '../../src/domain/households/join-households.js';
import { levelsOf } from '../../src/domain/households/levels-of.js';
import { settles } from '../../src/domain/households/settles.js';
import { InputError } from '../../src/domain/input-error.js';
import { domainFromSchema } from '../../src/domain/schema/parse-schema.js';
import type { Schema, TwoLevelSpec } from '../../src/domain/schema/schema.js';
import type { Random } from '../../src/random/random.js';
import { type Database, type DuckDBLimits, openDuckDB } from '../duckdb/duckdb.js';
import { fileRelation, type SqlTable } from '../duckdb/relation.js';
import { type PublicFile, publicFile } from '../private/public-file.js';
import { type ReadRelationOptions, readRelation } from './read-relation.js';
import type { ReadTableOptions } from './read-table.js';
import type { TableFile } from './table-file.js';

/** A table of persons that says what their households are, or two that share a key. */
export interface HouseholdFiles {
  readonly persons: TableFile;
  readonly households?: TableFile | undefined;
}

/** How the columns of a file are found: of a private one in another way than of a public one. */
export type RelationOf = (database: Database, file: TableFile, names: readonly string[]) => Promise<SqlTable>;

/** Rows of persons with what is said of their households, and the number of each one's household. */
export const readHouseholdRows = async (
  { persons, households }: HouseholdFiles,
  domain: Domain,
  key: string,
  relationOf: RelationOf,
  {
    outside,
    maxBytes,
    signal,
    onProgress,
    limits,
  }: ReadRelationOptions & { readonly limits?: DuckDBLimits | undefined },
): Promise<KeyedTable> => {
  const levels = levelsOf(domain);
  const idNumbers = new Map<string, number>();
  const read = async (file: TableFile, attributes: readonly string[]): Promise<KeyedTable> => {
    const database = await openDuckDB([file.path], limits);
    try {
      const relation = await relationOf(database, file, [...attributes, key]);
      const options = { id: key, idNumbers, outside, maxBytes, signal, onProgress };
      const { table, ids } = await readRelation(database.connection, relation, project(domain, attributes), options);
      return { table, keys: ids! };
    } finally {
      await database.close();
    }
  };
  if (households === undefined) {
    const { table, keys } = await read(persons, [...levels.household, ...levels.person]);
    return { table: addSize(domain, table), keys };
  }
  const homes = await read(households, levels.household);
  return joinHouseholds(domain, homes, await read(persons, levels.person), {
    dropStrays: settles(outside),
    shown: { households: households.shown, persons: persons.shown },
  });
};

/** The part of a schema that says what households are. */
export const twoLevelOf = ({ twoLevel }: Schema): TwoLevelSpec => {
  if (twoLevel === undefined)
    throw new InputError(
      'schema: households and persons need `twoLevel`, got none; add its key, household and maxSize',
    );
  return twoLevel;
};

/** How public households are read. */
export interface ReadHouseholdsOptions extends ReadTableOptions {
  /** The table of households, where the persons' table does not say what they are. */
  readonly households?: string | PublicFile | undefined;
  /** Chooses the persons to keep of a household with too many, under the rule `trim`. */
  readonly random?: Random | undefined;
}

/**
 * Reads *public* households and their persons, from one file or two that share the key of the schema. Files that have a ledger are
 * private and are refused; `openPrivateFile` is for those.
 */
export const readHouseholds = async (
  file: string | PublicFile,
  schema: Schema,
  {
    households,
    random,
    outside,
    onProgress,
    signal,
    private: hidden,
    unsafeNonPrivate,
    ...limits
  }: ReadHouseholdsOptions = {},
): Promise<HouseholdTable> => {
  const { key, rule } = twoLevelOf(schema);
  const signs = { private: hidden, unsafeNonPrivate };
  const files = {
    persons: await publicFile(file, signs),
    households: households === undefined ? undefined : await publicFile(households, signs),
  };
  const options = { outside, onProgress, signal, limits };
  const rows = await readHouseholdRows(files, domainFromSchema(schema), key, fileRelation, options);
  return groupHouseholds(rows, { rule, random, firstSpeaks: settles(outside) });
};
