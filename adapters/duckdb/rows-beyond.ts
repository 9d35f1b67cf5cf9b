import type { DuckDBConnection } from '@duckdb/node-api';
import { InputError } from '../../src/domain/input-error.js';
import type { Random } from '../../src/random/random.js';
import type { Column } from '../sql/sql-table.js';
import { execute, literal } from './duckdb.js';

/**
 * What `boundContributions` does in memory, for a table of DuckDB with a text column `id` whose rowid is the row number from 0: decides
 * which rows to drop so that every id keeps at most `maxRecords`, and answers the number of ids. The rows to drop stand in the temporary
 * table `beyond(row_at)`. An id within the bound keeps all of its rows; of another, a uniformly random subset of the size allowed: the
 * rows with the least sha256(secret, row number), where the secret is 256 bits from `random`. So the choice depends on nothing that is
 * in the rows, and nobody without the secret can predict it. A row without an id is an error: nobody could say whom it belongs to, and
 * so not what it may contribute.
 */
export const markBeyond = async (
  connection: DuckDBConnection,
  table: string,
  { column, maxRecords, shown }: { column: string; maxRecords: number; shown: string },
  random: Random,
  signal?: AbortSignal,
): Promise<number> => {
  const first = await scalar(connection, `SELECT min(rowid) FROM ${table} WHERE id IS NULL`);
  if (first !== null) throw idMissing(shown, column, first);
  const units = (await scalar(connection, `SELECT count(DISTINCT id) FROM ${table}`)) ?? 0;
  const secret = Array.from({ length: 8 }, () => random.uint32().toString(16).padStart(8, '0')).join('');
  // Only ids beyond the bound are ranked: most tables have few.
  const over = `SELECT id FROM ${table} GROUP BY id HAVING count(*) > ${maxRecords}`;
  const rank = `row_number() OVER (PARTITION BY id ORDER BY sha256(${literal(secret)} || ':' || row_at), row_at)`;
  const ranked = `SELECT row_at, ${rank} AS place FROM (SELECT rowid AS row_at, id FROM ${table} WHERE id IN (${over}))`;
  await execute(
    connection,
    `CREATE TEMP TABLE beyond AS SELECT row_at FROM (${ranked}) WHERE place > ${maxRecords} ORDER BY row_at`,
    signal,
  );
  return units;
};

/** An id as text, NULL where there is none. */
export const idSql = ({ sql }: Column): string => `nullif(${sql}::VARCHAR, '')`;

/** The error for a row, counted from 0, that does not say whose it is. */
export const idMissing = (shown: string, column: string, row: number): InputError =>
  new InputError(
    `${shown}: column ${JSON.stringify(column)}, row ${row + 1}: empty, and every row must say whose it is; fill in the id or leave the row out`,
  );

/** The one number that a query answers, or null. */
export const scalar = async (connection: DuckDBConnection, sql: string): Promise<number | null> => {
  const value = (await connection.runAndReadAll(sql)).getRowsJS()[0][0];
  return value === null ? null : Number(value);
};
