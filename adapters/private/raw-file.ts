import { valueText } from '../../src/domain/attribute/value-text.js';
import type { TableFormat } from '../../src/domain/format/table-format.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Running } from '../../src/domain/running.js';
import type { Unit } from '../../src/query/unit.js';
import { isCryptographic } from '../../src/random/cryptographic.js';
import type { Random } from '../../src/random/random.js';
import type { RawSource } from '../../src/source/raw-source.js';
import { chunksOf, type DuckDBLimits, execute, literal, openDuckDB } from '../duckdb/duckdb.js';
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

/** A text as SQL, which ends at a zero byte. */
const textLiteral = (text: string): string => text.split('\0').map(literal).join(' || chr(0) || ');

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
  /** A column with '' for what is empty; of doubles null, which JavaScript then calls ''. */
  const asStored = (at: number): string => (kinds[at] === 'double' ? `c${at}` : `coalesce(c${at}, '')`);
  const asText = (at: number): string => `coalesce(c${at}::VARCHAR, '')`;
  const isAmong = (at: number, known: readonly string[]): string => {
    if (kinds[at] !== 'double') return `${asText(at)} IN (${known.map(textLiteral).join(', ')})`;
    const numbers = known.filter((text) => text !== '').map((text) => `${literal(text)}::DOUBLE`);
    const isNumber = numbers.length === 0 ? 'false' : `coalesce(c${at} IN (${numbers.join(', ')}), false)`;
    return known.includes('') ? `(c${at} IS NULL OR ${isNumber})` : isNumber;
  };
  /** Tells the values of every line of an answer, as texts, but for the last, which is a number. */
  const eachOf = async (
    sql: string,
    aborting: AbortSignal | undefined,
    hear: (texts: readonly string[], number: number) => void,
  ) => {
    try {
      for await (const chunk of chunksOf(connection, sql, aborting)) {
        const columns = Array.from({ length: chunk.columnCount }, (_, i) => chunk.getColumnValues(i));
        const numbers = columns.pop()!;
        for (let i = 0; i < chunk.rowCount; i++)
          hear(
            columns.map((values) => valueText(values[i]) ?? ''),
            Number(numbers[i]),
          );
      }
    } catch (error) {
      aborting?.throwIfAborted();
      throw readingError(error, found.shown);
    }
  };
  const each = (sql: string, aborting: AbortSignal | undefined, hear: (text: string, number: number) => void) =>
    eachOf(sql, aborting, ([text], number) => hear(text, number));
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
      const value = asStored(names.indexOf(column));
      const sql = `SELECT ${value} AS value, count(*) FROM ${table} GROUP BY value ORDER BY value`;
      await each(sql, running.signal, (found, rows) => visit(found, rows));
    },
    async shared({ columns: asked, weights }, visit, running = {}) {
      check();
      const places = asked.map(({ name }) => names.indexOf(name));
      // A value that is known counts for nobody: it is null here.
      const unknown = asked.map(({ known }, i) =>
        known.length === 0
          ? asText(places[i])
          : `CASE WHEN ${isAmong(places[i], known)} THEN NULL ELSE ${asText(places[i])} END`,
      );
      const isId = unit.kind === 'id';
      const numbers = unknown.map((sql) => (isId ? `count(DISTINCT ${sql})` : `(${sql} IS NOT NULL)::INTEGER`));
      const weight = `([${weights.join(', ')}])[${isId ? 'held' : `(${numbers.join(' + ')})`}]`;
      const units = `SELECT id AS unit, ${numbers.join(' + ')} AS held FROM ${table} GROUP BY id`;
      for (const [i, sql] of unknown.entries()) {
        const value = asStored(places[i]);
        const owned = isId
          ? `(SELECT DISTINCT id, ${value} AS value FROM ${table} WHERE ${sql} IS NOT NULL) JOIN (${units}) ON id = unit`
          : `(SELECT *, ${value} AS value FROM ${table} WHERE ${sql} IS NOT NULL)`;
        const all = `SELECT value, sum(${weight}) FROM ${owned} GROUP BY value ORDER BY value`;
        await each(all, running.signal, (found, sum) => visit(i, found, sum));
      }
    },
    async together(asked, visit, running = {}) {
      check();
      const list = asked.map((name, i) => `${asStored(names.indexOf(name))} AS v${i}`).join(', ');
      await eachOf(`SELECT ${list}, count(*) FROM ${table} GROUP BY ALL ORDER BY ALL`, running.signal, visit);
    },
    isOpen: () => open,
    close: async () => {
      if (!open) return;
      open = false;
      await close();
    },
  };
};
