import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import { type Outside, withOutside } from '../../src/domain/schema/outside.js';
import { domainFromSchema } from '../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { unitOf } from '../../src/flow/unit-of.js';
import type { Unit } from '../../src/query/unit.js';
import type { Random } from '../../src/random/random.js';
import type { ClosableSource } from '../../src/source/closable.js';
import { openAddress } from './engines.js';
import { sqlSource } from './sql-source.js';

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
  { random, dataset = 'private table', unit = unitOf(schema), outside, query, changing, signal }: DatabaseTableOptions,
): Promise<ClosableSource> => {
  if (schema.table !== undefined)
    throw new InputError('schema: `table` says how a file is written, got a table of a database; take it out');
  const domain = domainFromSchema(withOutside(schema, outside));
  const { connection, relation } = await openAddress(address, { query, signal });
  return sqlSource(connection, relation, domain, { random, dataset, unit, outside, changing, signal });
};
