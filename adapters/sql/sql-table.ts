import type { Attribute } from '../../src/domain/attribute/attribute.js';
import { InputError } from '../../src/domain/input-error.js';
import { listed } from '../../src/domain/listed.js';
import { nearest } from '../../src/domain/nearest.js';
import type { CellDialect } from './dialect.js';

/** How the values of a column reach an encoder: doubles as numbers, everything else as its text. */
export type ColumnKind = 'text' | 'integer' | 'double' | 'boolean' | 'date' | 'nested';

/** A column as an engine of SQL sees it. */
export interface Column {
  readonly name: string;
  /** The engine's name of the type, such as VARCHAR or DECIMAL(18,3). */
  readonly type: string;
  readonly kind: ColumnKind;
  /** The column inside `SqlTable.sql`. */
  readonly sql: string;
  /** Whether the engine's type of the column has no NULL. */
  readonly isNeverNull?: boolean | undefined;
  /** Of an integer with a sign, where the engine's type says it. */
  readonly bits?: number | undefined;
}

/** A table that an engine can scan. */
export interface SqlTable {
  readonly shown: string;
  /** For a FROM clause. */
  readonly sql: string;
  readonly columns: readonly Column[];
  /**
   * Set for a private table: no message may list what its columns are called. The names of a CSV file without a header would be a row,
   * and those of JSON lines are keys of rows.
   */
  readonly isPrivate?: boolean | undefined;
  /** Whether a first column without a name was left out, which other programs write to number the rows. */
  readonly hasIndex?: boolean | undefined;
}

/** A column by name; a missing or unusable one is an `InputError`. */
export const columnNamed = (relation: SqlTable, name: string): Column => {
  const column = relation.columns.find((known) => known.name === name);
  if (column === undefined && relation.isPrivate)
    throw new InputError(
      `${relation.shown}: must have the column ${JSON.stringify(name)}, got a table without it; check its header against the schema`,
    );
  if (column === undefined) {
    const names = relation.columns.map((known) => known.name);
    const guess = nearest(name, names);
    const hint = guess === undefined ? `it has ${listed(names)}` : `did you mean ${JSON.stringify(guess)}?`;
    throw new InputError(`${relation.shown}: must have the column ${JSON.stringify(name)}; ${hint}`);
  }
  if (column.kind === 'nested')
    throw new InputError(
      `${relation.shown}: column ${JSON.stringify(name)} must hold plain values, got ${relation.isPrivate ? 'lists or structures' : column.type}; flatten it first`,
    );
  return column;
};

/** The column of every attribute, in their order. */
export const columnsFor = (relation: SqlTable, attributes: readonly Attribute[]): Column[] =>
  attributes.map(({ name }) => columnNamed(relation, name));

/** A column's value as an encoder takes it: a double, or a text, or null. */
export const valueIn = (dialect: Pick<CellDialect, 'text' | 'toDouble'>, { kind, sql }: Column, as = sql): string =>
  kind === 'double' ? dialect.toDouble(as) : dialect.text(as);
