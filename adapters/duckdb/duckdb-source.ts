import { cellsOf, type Domain } from '../../src/domain/domain.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Outside } from '../../src/domain/schema/outside.js';
import type { Marginal } from '../../src/query/marginal.js';
import { isCryptographic } from '../../src/random/cryptographic.js';
import type { Random } from '../../src/random/random.js';
import type { PrivateSource, Unit } from '../../src/source/source.js';
import { offence } from '../table/read-relation.js';
import { codesSql } from './code-sql.js';
import { boundContributions, idSql, scalar } from './contribution.js';
import { type Database, execute } from './duckdb.js';
import { readingError } from './duckdb-error.js';
import { groupingCounts } from './grouping-counts.js';
import { columnNamed, columnsFor, type SqlTable } from './relation.js';

export interface DuckDBSourceOptions {
  /** A stable name for the ledger that does not derive from the rows. */
  readonly dataset: string;
  readonly unit: Unit;
  /** What becomes of values that the schema does not name; `declared` unless told. */
  readonly outside?: Outside | undefined;
  /** Chooses the rows to drop beyond a unit's bound: cryptographic for private data. */
  readonly random: Random;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that the results of one `counts` may take, 2 GiB by default. */
  readonly memoryLimit?: number | undefined;
}

/** A source that holds a database; closing it ends the database and forgets the rows. */
export interface ClosableSource extends PrivateSource {
  close(): Promise<void>;
}

/**
 * A private source that counts in SQL, for tables that do not fit in this process's memory. It loads a snapshot of codes
 * into DuckDB's own compressed file (about half a byte a value; removed on close), in one pass over the relation: every
 * value is checked and every unit cut to its bound before the first count, and what happens to the file later changes
 * nothing. It owns the database from here on.
 */
export const duckdbSource = async (
  database: Database,
  relation: SqlTable,
  domain: Domain,
  { dataset, unit, random, signal, outside = 'declared', memoryLimit = 2 ** 31 }: DuckDBSourceOptions,
): Promise<ClosableSource> => {
  if (!Number.isSafeInteger(unit.maxRecords) || unit.maxRecords < 1)
    throw new InputError(`unit.maxRecords: must be a positive integer, got ${unit.maxRecords}`);
  const { connection } = database;
  const table = 'store.main.codes';
  let units: number;
  try {
    const columns = columnsFor(relation, domain.attributes);
    const id = unit.kind === 'id' ? { id: idSql(columnNamed(relation, unit.column)) } : {};
    // Without attributes there is still a row to count.
    const extra = { ...id, ...(columns.length === 0 ? { one: '1::UTINYINT' } : {}) };
    const codes = await codesSql(connection, relation, domain.attributes, columns, { outside, extra });
    await execute(connection, `CREATE TABLE ${table} AS ${codes}`, signal);
    await checkCells(database, table, relation, domain, outside);
    if (unit.kind === 'row') {
      units = (await scalar(connection, `SELECT count(*) FROM ${table}`)) ?? 0;
    } else {
      const bound = { ...unit, shown: relation.shown };
      units = await boundContributions(connection, table, bound, random, signal);
      await execute(connection, `DELETE FROM ${table} WHERE rowid IN (SELECT row_at FROM beyond)`, signal);
      // The ids have done their work; a table keeps at least one column.
      if (columns.length > 0) await connection.run(`ALTER TABLE ${table} DROP COLUMN id`);
    }
  } catch (error) {
    await database.close();
    signal?.throwIfAborted();
    throw readingError(error, relation.shown);
  }
  let open = true;
  const counting = new Set<Promise<unknown>>();
  return {
    domain,
    unit,
    dataset,
    seeded: unit.kind === 'id' && !isCryptographic(random),
    isOpen: () => open,
    counts: async (marginals, options = {}) => {
      if (!open) throw new InputError('source: must be open to be counted, got a closed one');
      options.signal?.throwIfAborted();
      checkMarginals(domain, marginals, memoryLimit);
      const count = async (): Promise<Float64Array[]> => {
        const reader = await database.connect();
        try {
          return await groupingCounts(reader, table, domain, marginals, options.signal);
        } catch (error) {
          throw readingError(error, relation.shown);
        } finally {
          reader.closeSync();
        }
      };
      const counts = count();
      counting.add(counts);
      return counts.finally(() => counting.delete(counts));
    },
    units: async () => units,
    async close() {
      open = false;
      await Promise.allSettled([...counting]);
      await database.close();
    },
  };
};

const checkCells = async (
  database: Database,
  table: string,
  relation: SqlTable,
  domain: Domain,
  outside: Outside,
): Promise<void> => {
  const { attributes } = domain;
  if (attributes.length === 0) return;
  const missing = attributes.map((_, i) => `a${i} IS NULL`);
  const row = await scalar(database.connection, `SELECT min(rowid) FROM ${table} WHERE ${missing.join(' OR ')}`);
  if (row === null) return;
  const empty = `list_position([${missing.join(', ')}], true)`;
  const at = await scalar(database.connection, `SELECT ${empty} FROM ${table} WHERE rowid = ${row}`);
  throw await offence(database.connection, relation, attributes[at! - 1], row, outside);
};

const checkMarginals = (domain: Domain, marginals: readonly Marginal[], memoryLimit: number): void => {
  let bytes = 0;
  for (const { attributes } of marginals) {
    if (new Set(attributes).size < attributes.length)
      throw new InputError(`marginal: must name an attribute once, got ${JSON.stringify(attributes)}`);
    bytes += 8 * cellsOf(domain, attributes);
  }
  if (bytes > memoryLimit)
    throw new InputError(
      `counts: the tables must fit in ${gigabytes(memoryLimit)} of memory, got a need of ${gigabytes(bytes)}; ask for fewer or smaller marginals`,
    );
};

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toPrecision(3)} GB`;
