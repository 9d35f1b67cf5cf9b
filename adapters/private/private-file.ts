import { domainOf } from '../../src/domain/domain-of.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import { type Outside, withOutside } from '../../src/domain/schema/outside.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { unitOf } from '../../src/flow/unit-of.js';
import type { Unit } from '../../src/query/unit.js';
import type { Random } from '../../src/random/random.js';
import type { ClosableSource } from '../../src/source/closable.js';
import { memorySource } from '../../src/source/memory-source.js';
import { type DuckDBLimits, openDuckDB } from '../duckdb/duckdb.js';
import { duckdbSource } from '../duckdb/duckdb-source.js';
import { privateRelation } from '../duckdb/relation.js';
import { nodeWorkers } from '../node-workers.js';
import { readRelation, TooLarge } from '../table/read-relation.js';
import { assertUnchanged, type TableFile, tableFile } from '../table/table-file.js';
import { checkOrigin } from './check-origin.js';

/** How a private file is opened, and whom it protects. */
export interface PrivateFileOptions extends Running, DuckDBLimits {
  /** Chooses the rows to drop beyond a unit's bound: cryptographic for private data. */
  readonly random: Random;
  /** Whom the guarantee protects; what the schema says, or a row, unless told. */
  readonly unit?: Unit | undefined;
  /** Name of the dataset, as its ledger has it (`tableLedger`); "private table" unless told. */
  readonly dataset?: string | undefined;
  /** What becomes of values that the schema does not name; `declared` unless told. How many there are is told nobody. */
  readonly outside?: Outside | undefined;
  /** Who counts: code columns in memory, DuckDB, or memory as long as the codes fit (`auto`). */
  readonly engine?: 'memory' | 'duckdb' | 'auto' | undefined;
  /** Bytes of codes that `auto` and `memory` hold in memory; 1 GiB unless told. */
  readonly codeLimit?: number | undefined;
}

/**
 * Opens a private CSV, TSV, JSON lines or Parquet file as a source: reads it once, puts values that the schema does not name where
 * `outside` says (with `other`, by the schema as `withOutside` widens it), and cuts every unit to its bound. A schema that was learned
 * from the file itself is refused. Give the source to a session and to nobody else; close it at the end. The progress says only
 * that it loads and has loaded: how many rows there are is private.
 */
export const openPrivateFile = async (
  file: string,
  schema: Schema,
  options: PrivateFileOptions,
): Promise<ClosableSource> => {
  const found = await tableFile(file);
  await checkOrigin(schema, file);
  return openCheckedFile(found, schema, options);
};

/** The same of a file that was looked at, by a schema that was not learned from it. */
export const openCheckedFile = async (
  found: TableFile,
  schema: Schema,
  options: PrivateFileOptions,
): Promise<ClosableSource> => {
  const { random, engine = 'auto', codeLimit = 2 ** 30, outside = 'declared', onProgress, signal, ...limits } = options;
  const domain = domainOf(withOutside(schema, outside).attributes);
  const unit = options.unit ?? unitOf(schema);
  const { dataset = 'private table' } = options;
  const names = [...domain.attributes.map(({ name }) => name), ...(unit.kind === 'id' ? [unit.column] : [])];
  onProgress?.({ stage: 'load', done: 0, total: 1 });
  const open = async () => {
    const database = await openDuckDB([found.path], limits);
    try {
      return { database, relation: await privateRelation(database, found, names) };
    } catch (error) {
      await database.close();
      throw error;
    }
  };
  const inMemory = async (): Promise<ClosableSource> => {
    const { database, relation } = await open();
    try {
      const { table, ids } = await readRelation(database.connection, relation, domain, {
        maxBytes: codeLimit,
        outside,
        id: unit.kind === 'id' ? unit.column : undefined,
        signal,
      });
      const { threads } = limits;
      const source = await memorySource({ table, dataset, unit, random, workers: nodeWorkers, threads, ids });
      return { ...source, close: async () => source.close() };
    } finally {
      await database.close();
    }
  };
  const inDuckDB = async (): Promise<ClosableSource> => {
    const { database, relation } = await open();
    return duckdbSource(database, relation, domain, { dataset, unit, random, outside, signal });
  };
  const source = await (engine === 'duckdb'
    ? inDuckDB()
    : inMemory().catch((error: unknown) => {
        if (!(error instanceof TooLarge)) throw error;
        if (engine === 'auto') return inDuckDB();
        throw new InputError(
          `${found.shown}: its codes must fit in ${codeLimit} bytes; raise codeLimit or let DuckDB count`,
        );
      }));
  try {
    await assertUnchanged(found);
    onProgress?.({ stage: 'load', done: 1, total: 1 });
    return source;
  } catch (error) {
    // Whatever fails here, a listener too: nobody else could close it, and its rows would stay on the disk.
    await source.close();
    throw error;
  }
};
