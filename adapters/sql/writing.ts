import type { AttributeType } from '../../src/domain/attribute/attribute.js';
import type { TableAddress } from './address.js';
import type { Dialect } from './dialect.js';

/** How an engine spells that a table is made, in statements that have no transaction around them. */
export interface Writing {
  /** The type of a column that holds an attribute's values, and may hold none. */
  readonly types: Readonly<Record<AttributeType, string>>;
  /** A day by its text, as a constant. */
  day(text: string): string;
  /** What stands behind the columns of a new table. */
  readonly end: string;
  /** Gives a table that another one has not yet the name of an address. */
  renamed(dialect: Dialect, table: string, to: TableAddress, full: string): string;
}

/** Engines that tables can be written to, other than by a transaction. */
export const writings: Readonly<Record<string, Writing>> = {
  clickhouse: {
    types: {
      category: 'Nullable(String)',
      boolean: 'Nullable(Bool)',
      integer: 'Nullable(Int64)',
      number: 'Nullable(Float64)',
      date: 'Nullable(Date32)',
    },
    day: (text) => `toDate32('${text}')`,
    end: ' ENGINE = MergeTree ORDER BY tuple()',
    renamed: (_, table, __, full) => `RENAME TABLE ${table} TO ${full}`,
  },
  trino: {
    types: { category: 'varchar', boolean: 'boolean', integer: 'bigint', number: 'double', date: 'date' },
    day: (text) => `DATE '${text}'`,
    end: '',
    renamed: (_, table, __, full) => `ALTER TABLE ${table} RENAME TO ${full}`,
  },
  spark: {
    types: { category: 'STRING', boolean: 'BOOLEAN', integer: 'BIGINT', number: 'DOUBLE', date: 'DATE' },
    day: (text) => `DATE '${text}'`,
    end: '',
    // The new name is one within the catalog of the old one.
    renamed: ({ identifier }, table, { database, schema = database ? 'default' : undefined, table: name }) =>
      `ALTER TABLE ${table} RENAME TO ${[schema, name].flatMap((part) => (part === undefined ? [] : [identifier(part)])).join('.')}`,
  },
};
