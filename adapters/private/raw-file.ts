import { valueText } from '../../src/domain/attribute/value-text.js';
import type { TableFormat } from '../../src/domain/format/table-format.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import type { Unit } from '../../src/query/unit.js';
import { isCryptographic } from '../../src/random/cryptographic.js';
import type { Random } from '../../src/random/random.js';
import type { RawSource } from '../../src/source/raw-source.js';
import { chunksOf, type DuckDBLimits, execute, openDuckDB } from '../duckdb/duckdb.js';
import { readingError } from '../duckdb/duckdb-error.js';
import { privateRelation, valueSql } from '../duckdb/relation.js';
import { idSql, markBeyond, scalar } from '../duckdb/rows-beyond.js';
import { columnNamed, type SqlTable } from '../sql/sql-table.js';
import { assertUnchanged, type TableFile } from '../table/table-file.js';
import { plainRelation, readableFile } from '../table/written-plainly.js';

export interface RawFileOptions extends Running, DuckDBLimits {
  /** The columns that are asked about, by name and by type where that is known. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly table?: TableFormat | undefined;
  readonly unit: Unit;
  readonly dataset: string;
  readonly random: Random;
}

/** Where the values are kept while they are asked about. */
const table = 'store.main.raw';

/** A double as the encoder of a category would call it: minus zero is zero, and what is not a number is empty. */
const plainValue = (sql: string): string => `CASE WHEN isnan(${sql}) THEN NULL ELSE ${sql} + 0 END`;

/**
 * Opens columns of a private file for the discovery of a schema: reads them once, cuts every unit to its bound, and keeps the values in DuckDB's own file, which
 * has no name and goes with the process. For a session and for nobody else.
 */
export const openRawFile = async (found: TableFile, options: RawFileOptions): Promise<RawSource> => {
  const { columns, unit, dataset, random, signal, onProgress, ...limits } = options;
  if (unit.kind === 'household' || unit.kind === 'person')
    throw new InputError(`unit: a schema is discovered of rows or ids, got a ${unit.kind}; declare the schema`);
  onProgress?.({ stage: 'load', done: 0, total: 1 });
  const { file, remove } = await readableFile(found, options.table, limits.temporary);
  const database = await openDuckDB([file.path], limits).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const { connection } = database;
  const names = columns.map(({ name }) => name);
  const close = async (): Promise<void> => {
    await database.close();
    await remove();
  };
  let relation: SqlTable | undefined;
  let kinds: string[];
  let rows: number;
  try {
    const asked = unit.kind === 'id' ? [...names, unit.column] : names;
    const specs = columns as readonly { readonly name: string; readonly type: 'number' }[];
    relation = await plainRelation(connection, await privateRelation(database, file, asked), options.table, specs);
    const own = names.map((name) => columnNamed(relation!, name));
    kinds = own.map(({ kind }) => kind);
    const list = own.map((column, i) => {
      const value = valueSql(column);
      return `${column.kind === 'double' ? plainValue(value) : value} AS c${i}`;
    });
    if (unit.kind === 'id') list.push(`${idSql(columnNamed(relation, unit.column))} AS id`);
    await execute(connection, `CREATE TABLE ${table} AS SELECT ${list.join(', ') || '1'} FROM ${relation.sql}`, signal);
    if (unit.kind === 'id') {
      await markBeyond(connection, table, { ...unit, shown: found.shown }, random, signal);
      await execute(connection, `DELETE FROM ${table} WHERE rowid IN (SELECT row_at FROM beyond)`, signal);
    }
    rows = (await scalar(connection, `SELECT count(*) FROM ${table}`)) ?? 0;
    await assertUnchanged(found);
    onProgress?.({ stage: 'load', done: 1, total: 1 });
  } catch (error) {
    await close();
    signal?.throwIfAborted();
    throw readingError(error, found.shown);
  }
  let open = true;
  const check = (): void => {
    if (!open) throw new InputError('source: must be open to be counted, got a closed one');
  };
  return {
    unit,
    dataset,
    columns: names,
    seeded: unit.kind === 'id' && !isCryptographic(random),
    rows: async () => {
      check();
      return rows;
    },
    async values(column, visit, running = {}) {
      check();
      const at = names.indexOf(column);
      const value = kinds[at] === 'double' ? `c${at}` : `coalesce(c${at}, '')`;
      const units = unit.kind === 'id' ? 'count(DISTINCT id)' : 'count(*)';
      const sql = `SELECT ${value} AS value, count(*), ${units} FROM ${table} GROUP BY value ORDER BY value`;
      try {
        for await (const chunk of chunksOf(connection, sql, running.signal)) {
          const [texts, counts, owners] = [0, 1, 2].map((i) => chunk.getColumnValues(i));
          for (let i = 0; i < chunk.rowCount; i++)
            visit(valueText(texts[i]) ?? '', Number(counts[i]), Number(owners[i]));
        }
      } catch (error) {
        running.signal?.throwIfAborted();
        throw readingError(error, found.shown);
      }
    },
    isOpen: () => open,
    close: async () => {
      if (!open) return;
      open = false;
      await close();
    },
  };
};
