import type { Domain } from '../../src/domain/domain.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import type { Outside } from '../../src/domain/schema/outside.js';
import { createEngine, type Engine } from '../../src/kernel/engine.js';
import { createPool } from '../../src/kernel/pool.js';
import { inTurn } from '../../src/privacy/in-turn.js';
import type { Marginal } from '../../src/query/marginal.js';
import { checkUnit, type Unit } from '../../src/query/unit.js';
import { isCryptographic } from '../../src/random/cryptographic.js';
import type { Random } from '../../src/random/random.js';
import { checkMarginals } from '../../src/source/check-marginals.js';
import { type ClosableSource, closable } from '../../src/source/closable.js';
import { type CodeRows, countBlocks, type PassingRows } from '../../src/source/count-blocks.js';
import { nodeWorkers } from '../node-workers.js';
import { columnNamed, columnsFor, type SqlTable } from '../sql/sql-table.js';
import { offence } from '../table/read-relation.js';
import { codeItems } from './code-items.js';
import { codesSql } from './code-sql.js';
import { chunksOf, type Database, execute } from './duckdb.js';
import { readingError } from './duckdb-error.js';
import { mendedSql } from './mended-sql.js';
import { idSql, markBeyond, scalar } from './rows-beyond.js';

/** Whose rows they are, and what becomes of values outside the schema. */
export interface DuckDBSourceOptions {
  /** A stable name for the ledger that does not derive from the rows. */
  readonly dataset: string;
  readonly unit: Unit;
  /** What becomes of values that the schema does not name; `declared` unless told. */
  readonly outside?: Outside | undefined;
  /** Chooses the rows to drop beyond a unit's bound: cryptographic for private data. */
  readonly random: Random;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that the results of one `counts` may take, 2 GiB by default; half of that for the tables that it counts in. */
  readonly memoryLimit?: number | undefined;
  /** Threads that count, 2 by default; DuckDB has its own. */
  readonly threads?: number | undefined;
}

/**
 * A private source for tables that do not fit in this process's memory. It loads a snapshot of codes into DuckDB's own compressed file (about half a
 * byte a value; removed on close), in one pass over the relation: every value is checked and every unit cut to its bound before the
 * first count, and what happens to the file later changes nothing. To be counted, codes pass by the kernels block by block
 * (`countBlocks`): DuckDB's own GROUPING SETS make a hash table for each marginal, which takes many times as long. It owns the database from here on.
 */
export const duckdbSource = async (
  database: Database,
  relation: SqlTable,
  domain: Domain,
  { dataset, unit, random, signal, outside = 'declared', memoryLimit = 2 ** 31, threads = 2 }: DuckDBSourceOptions,
): Promise<ClosableSource> => {
  checkUnit(unit);
  if (unit.kind === 'household' || unit.kind === 'person')
    throw new InputError(
      'source: households are counted in memory, got DuckDB as the engine; let the rows fit, or protect rows',
    );
  let units: number;
  let length: number;
  let engine: Engine;
  try {
    units = await snapshot(database, relation, domain, { unit, random, signal, outside });
    length = (await scalar(database.connection, `SELECT count(*) FROM ${table}`)) ?? 0;
    engine = await createEngine({ shared: threads > 1 });
  } catch (error) {
    await database.close();
    signal?.throwIfAborted();
    throw readingError(error, relation.shown);
  }
  const rows: PassingRows = { length, read: (attributes, stop) => codesOf(database, attributes, stop) };
  const pool = createPool(engine, { threads, spawn: nodeWorkers });
  const count = async (marginals: readonly Marginal[], running: Running): Promise<Float64Array[]> => {
    running.signal?.throwIfAborted();
    checkMarginals(domain, marginals, memoryLimit);
    try {
      return await countBlocks(rows, domain, marginals, { ...running, engine, pool, tableBytes: memoryLimit / 2 });
    } catch (error) {
      running.signal?.throwIfAborted();
      throw readingError(error, relation.shown);
    }
  };
  // Requests take turns: they share the kernels' memory.
  const next = inTurn();
  return {
    domain,
    unit,
    dataset,
    seeded: unit.kind === 'id' && !isCryptographic(random),
    units: async () => units,
    ...closable(
      (marginals, running) => next(() => count(marginals, running)),
      () => {
        pool.close();
        return database.close();
      },
    ),
  };
};

/** Where the codes are kept. */
const table = 'store.main.codes';

/** Goes through the codes of some attributes once, on a connection of its own. */
async function* codesOf(
  database: Database,
  attributes: readonly number[],
  signal: AbortSignal | undefined,
): AsyncGenerator<CodeRows> {
  const reader = await database.connect();
  try {
    // Without attributes there are still rows to count.
    const columns = attributes.map((index) => `a${index}`);
    const sql = `SELECT ${columns.join(', ') || '1::UTINYINT'} FROM ${table}`;
    for await (const chunk of chunksOf(reader, sql, signal)) {
      const length = chunk.rowCount;
      yield { length, columns: attributes.map((_, i) => codeItems(chunk.getColumnVector(i), length)!) };
    }
  } finally {
    reader.closeSync();
  }
}

/** Loads the codes, checks every value and cuts every unit to its bound; the answer is the number of units. */
const snapshot = async (
  database: Database,
  relation: SqlTable,
  domain: Domain,
  { unit, random, signal, outside }: Pick<DuckDBSourceOptions, 'unit' | 'random' | 'signal'> & { outside: Outside },
): Promise<number> => {
  const { connection } = database;
  const columns = columnsFor(relation, domain.attributes);
  const extra: Record<string, string> = {};
  if (unit.kind === 'id') extra.id = idSql(columnNamed(relation, unit.column));
  // Without attributes there is still a row to count.
  if (columns.length === 0) extra.one = '1::UTINYINT';
  const codes = await codesSql(connection, relation, domain.attributes, columns, { outside, extra });
  const kept = await mendedSql(connection, domain, codes, Object.keys(extra));
  await execute(connection, `CREATE TABLE ${table} AS ${kept}`, signal);
  await checkCells(database, relation, domain, outside);
  if (unit.kind !== 'id') return (await scalar(connection, `SELECT count(*) FROM ${table}`)) ?? 0;
  const units = await markBeyond(connection, table, { ...unit, shown: relation.shown }, random, signal);
  await execute(connection, `DELETE FROM ${table} WHERE rowid IN (SELECT row_at FROM beyond)`, signal);
  // The ids have done their work; a table keeps at least one column.
  if (columns.length > 0) await connection.run(`ALTER TABLE ${table} DROP COLUMN id`);
  return units;
};

const checkCells = async (database: Database, relation: SqlTable, domain: Domain, outside: Outside): Promise<void> => {
  const { attributes } = domain;
  if (attributes.length === 0) return;
  const missing = attributes.map((_, i) => `a${i} IS NULL`);
  const row = await scalar(database.connection, `SELECT min(rowid) FROM ${table} WHERE ${missing.join(' OR ')}`);
  if (row === null) {
    // The kernels trust the codes.
    const beyond = attributes.map(({ size }, i) => `max(a${i}) >= ${size}`);
    const any = await scalar(database.connection, `SELECT (${beyond.join(' OR ')})::INTEGER FROM ${table}`);
    if (any) throw new Error("codes: every one must be below the number of its attribute's cells");
    return;
  }
  const empty = `list_position([${missing.join(', ')}], true)`;
  const at = await scalar(database.connection, `SELECT ${empty} FROM ${table} WHERE rowid = ${row}`);
  throw await offence(database.connection, relation, attributes[at! - 1], row, outside);
};
