import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import { type Outside, withOutside } from '../../src/domain/schema/outside.js';
import { domainFromSchema } from '../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { unitOf } from '../../src/flow/unit-of.js';
import type { Unit } from '../../src/query/unit.js';
import type { Random } from '../../src/random/random.js';
import type { ClosableSource } from '../../src/source/closable.js';
import type { Connection } from './connection.js';
import { openAddress } from './engines.js';
import { type SqlSourceOptions, sqlSource } from './sql-source.js';
import type { SqlTable } from './sql-table.js';

/** How a private table of a database is opened, and whom it protects. */
export interface DatabaseTableOptions extends Running {
  /** Makes the key that chooses the rows to keep of a unit beyond its bound: cryptographic for private data. */
  readonly random: Random;
  /** Whom the guarantee protects; what the schema says, or a row, unless told. */
  readonly unit?: Unit | undefined;
  /** Name of the dataset, as its ledger has it; "private table" unless told. */
  readonly dataset?: string | undefined;
  /** What becomes of values that the schema does not name; `declared` unless told. */
  readonly outside?: Outside | undefined;
  /** A query of one's own in the same database, whose rows are counted in the place of the table's. */
  readonly query?: string | undefined;
  /** The address of the table of the households, in the same database, where that of the persons does not say what they are. */
  readonly households?: string | undefined;
  /** Go on where the engine cannot keep to the same rows, or lost them. */
  readonly changing?: boolean | undefined;
}

/**
 * Opens a private table that is named by an address, `postgres://HOST/DATABASE?table=NAME`, as a source that counts where the rows are. Give it to a session
 * and to nobody else; close it at the end.
 */
export const openDatabaseTable = async (
  address: string,
  schema: Schema,
  { households, query, signal, ...options }: DatabaseTableOptions,
): Promise<ClosableSource> => {
  checkDatabaseSchema(schema);
  const { connection, relation, second } = await openAddress(address, { query, beside: households, signal });
  return databaseSource(connection, relation, schema, { ...options, homes: second, signal });
};

/** Refuses a schema that says what a table of a database cannot be. */
export const checkDatabaseSchema = ({ table }: Pick<Schema, 'table'>): void => {
  if (table !== undefined)
    throw new InputError('schema: `table` says how a file is written, got a table of a database; take it out');
};

/** A source over a table that is reached already, by a schema: of rows, of ids, or of households with their persons. It owns the connection from here on. */
export const databaseSource = async (
  connection: Connection,
  relation: SqlTable,
  schema: Schema,
  {
    dataset = 'private table',
    unit = unitOf(schema),
    homes,
    ...options
  }: Omit<DatabaseTableOptions, 'households' | 'query'> &
    Pick<SqlSourceOptions, 'answered'> & { readonly homes?: SqlTable | undefined },
): Promise<ClosableSource> => {
  const { twoLevel } = schema;
  const domain = domainFromSchema(withOutside(schema, options.outside));
  return sqlSource(connection, relation, domain, {
    ...options,
    dataset,
    unit,
    households: twoLevel && { key: twoLevel.key, rule: twoLevel.rule ?? 'exclude', homes },
  });
};
