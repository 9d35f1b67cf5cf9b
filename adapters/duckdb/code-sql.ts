import type { DuckDBConnection } from '@duckdb/node-api';
import type { Attribute } from '../../src/domain/attribute/attribute.js';
import { columnEncoder } from '../../src/domain/attribute/column-encoder.js';
import type { Encoder } from '../../src/domain/attribute/kinds/kind.js';
import { type Outside, outsideCells } from '../../src/domain/schema/outside.js';
import type { Part } from '../sql/kinds/kind.js';
import type { Column, SqlTable } from '../sql/sql-table.js';
import { duckdb } from './dialect.js';
import { duckdbPart } from './kinds.js';
import { valueSql } from './relation.js';

export interface CodesOptions {
  readonly outside?: Outside | undefined;
  readonly extra?: Readonly<Record<string, string>> | undefined;
}

/**
 * A query for the cells of some attributes, one column a0, a1, ... each of its narrowest type, NULL where the value has no
 * cell. It agrees with `columnEncoder` on every value: DuckDB computes the common forms, for which the agreement can be
 * argued (below), and hands every other value to the encoder itself, registered as a function of the connection. `outside` is
 * the rule for values that the attributes do not name; `extra` adds further columns, by name.
 */
export const codesSql = async (
  connection: DuckDBConnection,
  relation: SqlTable,
  attributes: readonly Attribute[],
  columns: readonly Column[],
  { outside = 'declared', extra = {} }: CodesOptions = {},
): Promise<string> => {
  const parts = await Promise.all(attributes.map((attribute, i) => partOf(connection, attribute, columns[i], outside)));
  const names = Object.keys(extra);
  const parsed = [
    ...parts.flatMap((part, i) => [`${part.raw} AS r${i}`, `${part.parsed ?? 'NULL'} AS p${i}`]),
    ...names.map((name) => `${extra[name]} AS ${name}`),
  ];
  const guessed = parts.map(({ guess }, i) => `${guess?.(`p${i}`) ?? 'NULL'} AS g${i}`);
  const codes = parts.map(
    ({ code }, i) => `(${code(`r${i}`, `p${i}`, `g${i}`)})::${codeType(attributes[i].size)} AS a${i}`,
  );
  const list = (items: readonly string[]) => items.join(', ') || '1';
  return `SELECT ${list([...codes, ...names])} FROM (SELECT ${list(['*', ...guessed])} FROM (SELECT ${list(parsed)} FROM ${relation.sql}))`;
};

/** DuckDB's type for the codes of an attribute: the same width as `codeColumn`'s. */
export const codeType = (size: number): string =>
  size <= 0x100 ? 'UTINYINT' : size <= 0x10000 ? 'USMALLINT' : 'UINTEGER';

let functions = 0;

const partOf = async (
  connection: DuckDBConnection,
  attribute: Attribute,
  column: Column,
  outside: Outside,
): Promise<Part> => {
  const { spec } = attribute;
  const name = `encode_${++functions}`;
  await registerEncoder(connection, columnEncoder(attribute, outside), column, name);
  const ask = (raw: string) => `${name}(${valueSql(column, raw)})`;
  const cells = outsideCells(spec, outside);
  const part = await duckdbPart(spec, { dialect: duckdb, column, cells, ask, connection, name });
  return part ?? { raw: column.sql, parsed: 'NULL', code: ask };
};

const registerEncoder = async (
  connection: DuckDBConnection,
  encode: Encoder,
  column: Column,
  name: string,
): Promise<void> => {
  const { DOUBLE, DuckDBScalarFunction, UINTEGER, VARCHAR } = await import('@duckdb/node-api');
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name,
      parameterTypes: [column.kind === 'double' ? DOUBLE : VARCHAR],
      returnType: UINTEGER,
      specialHandling: true, // so that it is also asked about NULL
      mainFunction: (_, input, output) => {
        const values = input.getColumnVector(0);
        for (let i = 0; i < input.rowCount; i++) {
          const code = encode(values.getItem(i));
          output.setItem(i, code < 0 ? null : code);
        }
        output.flush();
      },
    }),
  );
};
