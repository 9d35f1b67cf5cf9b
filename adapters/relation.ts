import type { Attribute } from '../src/domain/attribute.js';
import { InputError } from '../src/domain/input-error.js';
import { listed } from '../src/domain/listed.js';
import { nearest } from '../src/domain/nearest.js';
import { csvHeader } from './csv-header.js';
import { type Database, identifier, literal } from './duckdb.js';
import { readingError } from './duckdb-error.js';
import type { TableFile } from './table-file.js';

/** How the values of a column reach an encoder: doubles as numbers, everything else as its text. */
export type ColumnKind = 'text' | 'integer' | 'double' | 'boolean' | 'date' | 'nested';

export interface Column {
  readonly name: string;
  /** DuckDB's name of the type, such as VARCHAR or DECIMAL(18,3). */
  readonly type: string;
  readonly kind: ColumnKind;
  /** The column inside `Relation.sql`. */
  readonly sql: string;
}

/** A table that DuckDB can scan, in the order of its rows. */
export interface Relation {
  readonly shown: string;
  /** For a FROM clause. */
  readonly sql: string;
  readonly columns: readonly Column[];
  /** Whether its names must not be told: where a private file has no header, they are the values of its first row. */
  readonly isPrivate?: boolean;
}

/** Objects looked at to learn the keys of JSON lines. */
const JSON_SAMPLE = 20_480;

/** The scan of a file. CSV and JSON lines are read as text, so that no type is guessed and no value is reformatted. */
export const fileRelation = async (database: Database, file: TableFile): Promise<Relation> => {
  const from = literal(file.path);
  switch (file.format) {
    case 'csv': {
      const names = await csvHeader(file);
      const columns = names.map((name, i) => ({ name, type: 'VARCHAR', kind: 'text' as const, sql: `f${i}` }));
      const options = [
        'auto_detect = false, header = true, strict_mode = true, max_line_size = 2097152',
        `delim = ${literal(file.delimiter)}, quote = '"', escape = '"'`,
        `compression = '${file.gzip ? 'gzip' : 'none'}'`,
        `columns = {${columns.map(({ sql }) => `${sql}: 'VARCHAR'`).join(', ')}}`,
        // An empty field is the empty text, which a schema may declare as a value.
        `force_not_null = [${columns.map(({ sql }) => `'${sql}'`).join(', ')}]`,
      ];
      return { shown: file.shown, sql: `read_csv(${from}, ${options.join(', ')})`, columns };
    }
    case 'json': {
      const objects = `read_ndjson_objects(${from}, compression = '${file.gzip ? 'gzip' : 'uncompressed'}')`;
      const keys = `SELECT unnest(json_keys(json)) AS key, row_number() OVER () AS place FROM (SELECT json FROM ${objects} LIMIT ${JSON_SAMPLE})`;
      const rows = await read(database, `SELECT key FROM (${keys}) GROUP BY key ORDER BY min(place), key`, file.shown);
      const names = rows.map(([name]) => String(name));
      if (names.length === 0)
        throw new InputError(`${file.shown}: must hold one JSON object a line, got none; check that it is JSON lines`);
      const columns = names.map((name) => ({ name, type: 'VARCHAR', kind: 'text' as const, sql: identifier(name) }));
      const options = [
        `format = 'newline_delimited', auto_detect = false`,
        `compression = '${file.gzip ? 'gzip' : 'uncompressed'}'`,
        `columns = {${names.map((name) => `${literal(name)}: 'VARCHAR'`).join(', ')}}`,
      ];
      return { shown: file.shown, sql: `read_json(${from}, ${options.join(', ')})`, columns };
    }
    case 'parquet':
      return tableRelation(database, `read_parquet(${from})`, file.shown);
  }
};

/** The scan of anything that DuckDB knows the types of. */
export const tableRelation = async (database: Database, sql: string, shown: string): Promise<Relation> => {
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

/** A column by name; a missing or unusable one is an `InputError`. */
export const columnNamed = (relation: Relation, name: string): Column => {
  const column = relation.columns.find((known) => known.name === name);
  if (column === undefined) {
    const names = relation.columns.map((known) => known.name);
    const guess = nearest(name, names);
    const hint = relation.isPrivate
      ? 'check that the file names its columns as the schema does'
      : guess === undefined
        ? `it has ${listed(names)}`
        : `did you mean ${JSON.stringify(guess)}?`;
    throw new InputError(`${relation.shown}: must have the column ${JSON.stringify(name)}; ${hint}`);
  }
  if (column.kind === 'nested')
    throw new InputError(
      `${relation.shown}: column ${JSON.stringify(name)} must hold plain values, got ${column.type}; flatten it first`,
    );
  return column;
};

/** The column of every attribute, in their order. */
export const columnsFor = (relation: Relation, attributes: readonly Attribute[]): Column[] =>
  attributes.map(({ name }) => columnNamed(relation, name));

/** A column's value as an encoder takes it: a double, or a text, or null. */
export const valueSql = ({ kind, sql }: Column, as = sql): string =>
  `${as}::${kind === 'double' ? 'DOUBLE' : 'VARCHAR'}`;
