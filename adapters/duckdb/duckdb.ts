import { rm } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import path from 'node:path';
import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import { privateFolder } from '../private/private-folder.js';

/** Memory, threads and disk that DuckDB may take. */
export interface DuckDBLimits {
  /** Bytes that DuckDB may hold before it spills to `temporary`; 4 GiB or half of the machine, whichever is less. */
  readonly memoryLimit?: number | undefined;
  /** Worker threads; all cores unless told. */
  readonly threads?: number | undefined;
  /** Folder under which a private folder (mode 0700) for tables and spilled blocks is made and removed; the system's unless told. */
  readonly temporary?: string | undefined;
}

/**
 * A database for this process alone, with room for tables in `store`, that reaches the named files and nothing else: no
 * network, no extensions to fetch.
 */
export interface Database {
  readonly connection: DuckDBConnection;
  /** A second connection to the same database. */
  connect(): Promise<DuckDBConnection>;
  /** Ends the database and removes what it kept on disk. */
  close(): Promise<void>;
}

/**
 * Opens such a database for the named files. Its private folder is gone when it is closed; blocks that did not fit in memory are in
 * it meanwhile, and after a kill until surmise runs again on that machine.
 */
export const openDuckDB = async (
  files: readonly string[],
  {
    memoryLimit = Math.min(4 * 2 ** 30, totalmem() / 2),
    threads = availableParallelism(),
    temporary,
  }: DuckDBLimits = {},
): Promise<Database> => {
  const spill = await privateFolder(temporary);
  let instance: DuckDBInstance | undefined;
  try {
    // Loaded when the first database is opened: it takes longer than all the rest.
    const { DuckDBInstance: duckdb } = await import('@duckdb/node-api');
    instance = await duckdb.create(':memory:', {
      threads: String(threads),
      memory_limit: `${Math.floor(memoryLimit / 1024)}KiB`,
      temp_directory: spill,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
    });
    return await prepare(instance, files, spill);
  } catch (error) {
    instance?.closeSync();
    await rm(spill, { recursive: true, force: true });
    throw error;
  }
};

const prepare = async (instance: DuckDBInstance, files: readonly string[], spill: string): Promise<Database> => {
  const connection = await instance.connect();
  await connection.run(`SET TimeZone = 'UTC'`);
  // Tables in a file are compressed as they are written (codes to about half a byte) and read back block by block; tables
  // in memory would take four times their bytes first. Nothing is ever recovered from it, so there is no log beside it.
  const store = path.join(spill, 'store.db');
  await connection.run(`ATTACH ${literal(store)} AS store (RECOVERY_MODE NO_WAL_WRITES)`);
  // Its name goes at once, and the system frees a file without a name with the process, however that ends: codes of private
  // rows cannot stay behind. Where an open file keeps its name (Windows), `close` removes it.
  await rm(store, { force: true }).catch(() => undefined);
  await connection.run(`SET allowed_paths = [${files.map(literal).join(', ')}]`);
  await connection.run(`SET allowed_directories = [${literal(spill)}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  return {
    connection,
    connect: () => instance.connect(),
    close: async () => {
      connection.closeSync();
      instance.closeSync();
      await rm(spill, { recursive: true, force: true });
    },
  };
};

/** Chunks of at most 2,048 rows as DuckDB makes them, in the order of the rows; an abort interrupts the query. */
export async function* chunksOf(
  connection: DuckDBConnection,
  sql: string,
  signal?: AbortSignal,
): AsyncGenerator<DuckDBDataChunk> {
  signal?.throwIfAborted();
  const stop = () => connection.interrupt();
  signal?.addEventListener('abort', stop);
  try {
    const result = await connection.stream(sql);
    for (;;) {
      const chunk = await result.fetchChunk();
      signal?.throwIfAborted();
      if (chunk === null || chunk.rowCount === 0) return;
      yield chunk;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Runs a statement that has no rows to give; an abort interrupts it. */
export const execute = async (connection: DuckDBConnection, sql: string, signal?: AbortSignal): Promise<void> => {
  for await (const _ of chunksOf(connection, sql, signal));
};

/** A text as an SQL literal. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A name as an SQL identifier. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A number as an SQL double, exactly: a bare 0.1 would be a decimal. */
export const double = (value: number): string => `${literal(String(value))}::DOUBLE`;
