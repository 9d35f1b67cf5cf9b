import type { Attribute } from '../../src/domain/attribute/attribute.js';
import { type Domain, project } from '../../src/domain/domain.js';
import type { Columns } from '../../src/domain/encode/encode-table.js';
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
import { fileRelation } from '../duckdb/relation.js';
import { type PublicFile, publicFile } from '../private/public-file.js';
import type { SqlTable } from '../sql/sql-table.js';
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
    values = [],
    limits,
  }: ReadRelationOptions & { readonly limits?: DuckDBLimits | undefined },
): Promise<KeyedTable & { readonly values?: Columns | undefined }> => {
  const levels = levelsOf(domain);
  const idNumbers = new Map<string, number>();
  let kept: Columns | undefined;
  const read = async (file: TableFile, attributes: readonly string[]): Promise<KeyedTable> => {
    const database = await openDuckDB([file.path], limits);
    try {
      const relation = await relationOf(database, file, [...attributes, key]);
      const wanted = values.filter((name) => attributes.includes(name));
      const options = { id: key, idNumbers, outside, maxBytes, signal, onProgress, values: wanted };
      const found = await readRelation(database.connection, relation, project(domain, attributes), options);
      if (found.values !== undefined) kept = { ...kept, ...found.values };
      return { table: found.table, keys: found.ids! };
    } finally {
      await database.close();
    }
  };
  if (households === undefined) {
    const { table, keys } = await read(persons, [...levels.household, ...levels.person]);
    return { table: addSize(domain, table), keys, values: kept };
  }
  const homes = await read(households, levels.household);
  const joined = joinHouseholds(domain, homes, await read(persons, levels.person), {
    dropStrays: settles(outside),
    shown: { households: households.shown, persons: persons.shown },
  });
  return { ...joined, values: kept };
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
  options: ReadHouseholdsOptions = {},
): Promise<HouseholdTable> => (await readHouseholdsAndValues(file, schema, () => false, options)).table;

/** The same, with the values of some attributes, the first million of each, in the same pass. */
export const readHouseholdsAndValues = async (
  file: string | PublicFile,
  schema: Schema,
  wanted: (attribute: Attribute) => boolean,
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
): Promise<{ readonly table: HouseholdTable; readonly values?: Columns | undefined }> => {
  const { key, rule } = twoLevelOf(schema);
  const signs = { private: hidden, unsafeNonPrivate };
  const files = {
    persons: await publicFile(file, signs),
    households: households === undefined ? undefined : await publicFile(households, signs),
  };
  const domain = domainFromSchema(schema);
  const names = domain.attributes.filter(wanted).map(({ name }) => name);
  const options = { outside, onProgress, signal, limits, values: names };
  const { values, ...rows } = await readHouseholdRows(files, domain, key, fileRelation, options);
  return { table: groupHouseholds(rows, { rule, random, firstSpeaks: settles(outside) }), values };
};
