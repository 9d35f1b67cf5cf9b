import type { Domain } from '../../src/domain/domain.js';
import { InputError } from '../../src/domain/input-error.js';
import type { Outside } from '../../src/domain/schema/outside.js';
import type { Unit } from '../../src/query/unit.js';
import { oneRow } from './asking.js';
import { boundedSql } from './bounded-sql.js';
import { codesSql, mayLackCells } from './codes-sql.js';
import type { Connection } from './connection.js';
import { columnNamed, type SqlTable } from './sql-table.js';

/** The rows that are counted, as queries: those that their units may have, by the cells of their values. */
export interface KeptRows {
  /** A query for the codes of some attributes: columns a0, a1, ... by their numbers, `one`, and `id` where units have several rows. */
  codes(attributes: readonly number[]): string;
  /** The number of units, by a query. */
  readonly units: string;
  /** Refuses rows that have no place, or do not say whose they are; answers the number of units where that tells it. */
  check(signal: AbortSignal | undefined): Promise<number | undefined>;
}

export interface KeptRowsOptions {
  readonly domain: Domain;
  readonly outside: Outside;
  readonly unit: Unit;
  /** Chooses the rows of a unit with too many (`boundingKey`). */
  readonly key: string;
}

/** Rows as they are, or at most so many of each id. */
export const plainRows = (
  connection: Connection,
  relation: SqlTable,
  { domain, outside, unit, key }: KeptRowsOptions,
): KeptRows => {
  const { dialect } = connection;
  const every = [...domain.attributes.keys()];
  const column = unit.kind === 'id' ? unit.column : undefined;
  const id = column === undefined ? undefined : dialect.text(columnNamed(relation, column).sql);
  for (const { name } of domain.attributes) columnNamed(relation, name);
  const coded = (attributes: readonly number[]): string =>
    codesSql(dialect, relation, { domain, outside, attributes, extra: id === undefined ? {} : { id } });
  const strict = mayLackCells(dialect, relation, { domain, outside, attributes: every });
  return {
    // The rows that an id keeps hang on all its codes.
    codes: (attributes) =>
      id === undefined
        ? coded(attributes)
        : boundedSql(dialect, coded(every), {
            cells: every.map((at) => `a${at}`),
            maxRecords: unit.maxRecords,
            key,
          }),
    units:
      id === undefined
        ? `SELECT count(*) FROM ${relation.sql}`
        : `SELECT count(DISTINCT id) FROM (SELECT ${id} AS id FROM ${relation.sql}) AS ids`,
    check: async (signal) => {
      // Only of columns where there can be any.
      if (strict.length === 0 && id === undefined) return undefined;
      const { rows, ids } = await checkCells(connection, relation, coded(strict), {
        names: strict.map((at): [string, string] => [`a${at}`, domain.attributes[at].name]),
        id: column,
        signal,
      });
      return ids ?? rows;
    },
  };
};

/**
 * Refuses rows with a value that has no place, or without an id, where columns of a query say so: `names` are its columns of cells and what they are called, `id`
 * what its column `id` is called, if it has one. Tells the number of rows and of ids.
 */
export const checkCells = async (
  connection: Connection,
  { shown }: SqlTable,
  codes: string,
  {
    names,
    id,
    signal,
  }: {
    readonly names: readonly (readonly [string, string])[];
    readonly id: string | undefined;
    readonly signal: AbortSignal | undefined;
  },
): Promise<{ readonly rows: number; readonly ids: number | undefined }> => {
  const empty = connection.dialect.literal('');
  const columns = names.map(([column]) => `count(${column})`);
  if (id !== undefined) columns.push(`count(nullif(id, ${empty}))`, 'count(DISTINCT id)');
  const sql = `SELECT ${['count(*)', ...columns].join(', ')} FROM (${codes}) AS checked`;
  const [rows, ...found] = await oneRow(connection, sql, signal);
  const bad = names.find((_, i) => found[i] !== rows);
  if (bad !== undefined)
    throw new InputError(
      `${shown}: column ${JSON.stringify(bad[1])}: holds a value that the schema has no cell for; declare it, give the attribute an \`other\` or \`"null": true\`, or choose another rule for values outside`,
    );
  if (id !== undefined && found[names.length] !== rows)
    throw new InputError(
      `${shown}: column ${JSON.stringify(id)}: is empty in a row, and every row must say whose it is; fill in the id or leave the row out`,
    );
  return { rows, ids: id === undefined ? undefined : found[names.length + 1] };
};
