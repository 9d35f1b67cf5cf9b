import { InputError } from '../../src/domain/input-error.js';
import { type Column, type ColumnKind, type SqlTable, valueIn } from '../sql/sql-table.js';
import { csvHeader, isBlank } from '../table/csv-header.js';
import type { CsvHeader } from '../table/csv-names.js';
import { checkGzip, type TableFile } from '../table/table-file.js';
import { duckdb } from './dialect.js';
import { type Database, identifier, literal } from './duckdb.js';
import { readingError } from './duckdb-error.js';

/** Objects looked at to learn the keys of JSON lines. */
const JSON_SAMPLE = 20_480;

/** The scan of a *public* file. CSV and JSON lines are read as text, so that no type is guessed and no value is reformatted. */
export const fileRelation = async (database: Database, file: TableFile): Promise<SqlTable> => {
  if (file.empty) throw new InputError(`${file.shown}: must have at least a header, got an empty file`);
  if (file.gzip) await checkGzip(file);
  const { shown } = file;
  switch (file.format) {
    case 'csv':
      return csvRelation(file, await csvHeader(file));
    case 'json': {
      const keys = `SELECT unnest(json_keys(json)) AS key, row_number() OVER () AS place FROM (SELECT json FROM ${objectsOf(file)} LIMIT ${JSON_SAMPLE})`;
      const rows = await read(database, `SELECT key FROM (${keys}) GROUP BY key ORDER BY min(place), key`, shown);
      if (rows.length === 0)
        throw new InputError(`${shown}: must hold one JSON object a line, got none; check that it is JSON lines`);
      return jsonRelation(
        file,
        rows.map(([name]) => String(name)),
      );
    }
    case 'parquet':
      return tableRelation(database, `read_parquet(${literal(file.path)})`, shown);
    case 'xlsx':
      throw notHere(shown);
  }
};

/**
 * The scan of a *private* file for the columns that a schema names. No row decides which columns there are: in JSON lines they are
 * those of the schema, and a key that no row has is null in every row. A file without bytes, or compressed from none, is a table
 * without rows.
 */
export const privateRelation = async (
  database: Database,
  file: TableFile,
  names: readonly string[],
): Promise<SqlTable> => {
  const { shown } = file;
  if (file.gzip && !file.empty) await checkGzip(file);
  if (file.empty || (file.format === 'csv' && (await isBlank(file)))) return withoutRows(shown, names);
  switch (file.format) {
    case 'csv':
      return { ...csvRelation(file, await csvHeader(file)), isPrivate: true };
    case 'json':
      return { ...jsonRelation(file, names), isPrivate: true };
    case 'parquet':
      return { ...(await tableRelation(database, `read_parquet(${literal(file.path)})`, shown)), isPrivate: true };
    case 'xlsx':
      throw notHere(shown);
  }
};

/** A workbook is read through a copy of its sheet, which not everybody makes. */
const notHere = (shown: string): InputError =>
  new InputError(`${shown}: a workbook can be read where one table is, and not for households; save its sheet as CSV`);

const textColumn = (name: string, sql: string): Column => ({ name, type: 'VARCHAR', kind: 'text', sql });

const withoutRows = (shown: string, names: readonly string[]): SqlTable => {
  const columns = names.map((name, i) => textColumn(name, `f${i}`));
  const list = columns.map(({ sql }) => `NULL::VARCHAR AS ${sql}`).join(', ');
  return { shown, sql: `(SELECT ${list || '1'} WHERE false)`, columns, isPrivate: true };
};

const csvRelation = (file: TableFile, { names, delimiter }: CsvHeader): SqlTable => {
  const columns = names.map((name, i) => textColumn(name, `f${i}`));
  const options = [
    'auto_detect = false, header = true, strict_mode = true, max_line_size = 2097152',
    `delim = ${literal(delimiter)}, quote = ${literal(file.quote)}, escape = ${literal(file.quote)}`,
    `compression = '${file.gzip ? 'gzip' : 'none'}'`,
    `columns = {${columns.map(({ sql }) => `${sql}: 'VARCHAR'`).join(', ')}}`,
    // An empty field is the empty text, which a schema may declare as a value.
    `force_not_null = [${columns.map(({ sql }) => `'${sql}'`).join(', ')}]`,
  ];
  return {
    shown: file.shown,
    sql: `read_csv(${literal(file.path)}, ${options.join(', ')})`,
    columns: columns.filter(({ name }) => name !== ''),
    hasIndex: names[0] === '' || undefined,
  };
};

const compressionOf = ({ gzip }: TableFile): string => `compression = '${gzip ? 'gzip' : 'uncompressed'}'`;

const objectsOf = (file: TableFile): string => `read_ndjson_objects(${literal(file.path)}, ${compressionOf(file)})`;

const jsonRelation = (file: TableFile, names: readonly string[]): SqlTable => {
  const { shown } = file;
  // Names that differ in case only are one name to DuckDB: their values are taken out of the objects one by one.
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
    const columns = names.map((name, i) => textColumn(name, `f${i}`));
    const pointer = (name: string) => literal(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    const isRow = `json_type(json) IN ('OBJECT', 'NULL')`;
    const list = columns.map(
      ({ name, sql }) =>
        `CASE WHEN ${isRow} THEN json ->> ${pointer(name)} ELSE error('JSON without keys') END AS ${sql}`,
    );
    return { shown, sql: `(SELECT ${list.join(', ')} FROM ${objectsOf(file)})`, columns };
  }
  const options = [
    `format = 'newline_delimited', auto_detect = false`,
    compressionOf(file),
    // A table needs a column, be it one that no object has.
    `columns = {${(names.length === 0 ? [''] : names).map((name) => `${literal(name)}: 'VARCHAR'`).join(', ')}}`,
  ];
  const columns = names.map((name) => textColumn(name, identifier(name)));
  return { shown, sql: `read_json(${literal(file.path)}, ${options.join(', ')})`, columns };
};

/** The scan of anything that DuckDB knows the types of. */
export const tableRelation = async (database: Database, sql: string, shown: string): Promise<SqlTable> => {
  const rows = await read(database, `SELECT column_name, column_type FROM (DESCRIBE FROM ${sql})`, shown);
  const columns = rows.map(([name, type]) => ({
    name: String(name),
    type: String(type),
    kind: kindOf(String(type)),
    sql: identifier(String(name)),
  }));
  return { shown, sql, columns };
};

const read = async (database: Database, sql: string, shown: string): Promise<unknown[][]> => {
  try {
    return (await database.connection.runAndReadAll(sql)).getRowsJS();
  } catch (error) {
    throw readingError(error, shown);
  }
};

const kindOf = (type: string): ColumnKind => {
  if (/^U?(TINYINT|SMALLINT|INTEGER|BIGINT)$/.test(type)) return 'integer';
  if (type === 'DOUBLE' || type === 'FLOAT') return 'double';
  if (type === 'BOOLEAN') return 'boolean';
  // A time with a zone names different days in different zones: its text, in UTC, decides.
  if (type === 'DATE' || /^TIMESTAMP(_S|_MS|_NS)?$/.test(type)) return 'date';
  if (/\[\d*\]$|^(STRUCT|MAP|UNION|BLOB|BIT|INTERVAL|VARIANT|GEOMETRY)\b/.test(type)) return 'nested';
  return 'text';
};

/** A column's value as an encoder takes it: a double, or a text, or null. */
export const valueSql = (column: Column, as = column.sql): string => valueIn(duckdb, column, as);
