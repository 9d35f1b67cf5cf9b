import { InputError } from '../../src/domain/input-error.js';
import { withOutside } from '../../src/domain/schema/outside.js';
import { domainFromSchema } from '../../src/domain/schema/parse-schema.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { unitOf } from '../../src/flow/unit-of.js';
import type { ClosableSource } from '../../src/source/closable.js';
import { memorySource } from '../../src/source/memory-source.js';
import { openDuckDB } from '../duckdb/duckdb.js';
import { duckdbSource } from '../duckdb/duckdb-source.js';
import { privateRelation } from '../duckdb/relation.js';
import { nodeWorkers } from '../node-workers.js';
import { readRelation, TooLarge } from '../table/read-relation.js';
import { assertUnchanged, type TableFile, tableFile } from '../table/table-file.js';
import { plainRelation, readableFile } from '../table/written-plainly.js';
import { checkOrigin } from './check-origin.js';
import type { PrivateFileOptions } from './private-file-options.js';
import { openHouseholds } from './private-households.js';

/**
 * Opens a private CSV, TSV, JSON lines or Parquet file as a source: reads it once, puts values that the schema does not name where
 * `outside` says (with `other`, by the schema as `withOutside` widens it), and cuts every unit to its bound. A schema that was learned
 * from the file itself is refused. Where the schema has households, the file holds persons, and `households` may name a second table that
 * shares their key; they are counted in memory. Give the source to a session and to nobody else; close it at the end. The progress says only
 * that it loads and has loaded: how many rows there are is private.
 */
export const openPrivateFile = async (
  file: string,
  schema: Schema,
  options: PrivateFileOptions,
): Promise<ClosableSource> => {
  const found = await tableFile(file);
  await checkOrigin(schema, file);
  if (schema.twoLevel !== undefined) return openHouseholds(found, schema, options);
  if (options.households !== undefined)
    throw new InputError('schema: households need `twoLevel`, got none; add its key, household and maxSize');
  return openCheckedFile(found, schema, options);
};

/** The same of a file that was looked at, by a schema that was not learned from it. */
export const openCheckedFile = async (
  found: TableFile,
  schema: Schema,
  options: PrivateFileOptions,
): Promise<ClosableSource> => {
  const { random, engine = 'auto', codeLimit = 2 ** 30, outside = 'declared', onProgress, signal, ...limits } = options;
  const domain = domainFromSchema(withOutside(schema, outside));
  const unit = options.unit ?? unitOf(schema);
  const { dataset = 'private table' } = options;
  const names = [...domain.attributes.map(({ name }) => name), ...(unit.kind === 'id' ? [unit.column] : [])];
  onProgress?.({ stage: 'load', done: 0, total: 1 });
  const open = async () => {
    const { file, remove } = await readableFile(found, schema.table, limits.temporary);
    const opened = await openDuckDB([file.path], limits).catch(async (error: unknown) => {
      await remove();
      throw error;
    });
    const close = async (): Promise<void> => {
      await opened.close();
      await remove();
    };
    const database = { ...opened, close };
    try {
      const raw = await privateRelation(database, file, names);
      return { database, relation: await plainRelation(database.connection, raw, schema.table, schema.attributes) };
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
      const source = await memorySource({ table, dataset, unit, random, workers: nodeWorkers, threads, ids, signal });
      return { ...source, close: async () => source.close() };
    } finally {
      await database.close();
    }
  };
  const inDuckDB = async (): Promise<ClosableSource> => {
    const { database, relation } = await open();
    return duckdbSource(database, relation, domain, {
      dataset,
      unit,
      random,
      outside,
      signal,
      threads: limits.threads,
    });
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
