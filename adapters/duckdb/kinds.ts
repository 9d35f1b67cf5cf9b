import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { AttributeSpec, AttributeType, CategorySpec } from '../../src/domain/attribute/attribute.js';
import { dayNumber, parseDay } from '../../src/domain/attribute/calendar.js';
import type { CellValue } from '../../src/domain/attribute/kinds/kind.js';
import { isPlain, orNull, type Part, type PartOptions } from '../sql/kinds/kind.js';
import { sqlPart } from '../sql/kinds/kinds.js';
import { literal } from './duckdb.js';
import { valueSql } from './relation.js';

/** What DuckDB needs to know of one type of attribute to write it. */
interface DuckDBKind {
  /** The type of its values in a file that is written, ... */
  readonly type: 'BOOLEAN' | 'BIGINT' | 'DOUBLE' | 'VARCHAR' | 'DATE';
  /** ... and a value as that type has it, in the terms of DuckDB, which is loaded when it is needed. */
  value(value: NonNullable<CellValue>, duckdb: typeof import('@duckdb/node-api')): DuckDBValue;
}

const kinds: Readonly<Record<AttributeType, DuckDBKind>> = {
  category: { type: 'VARCHAR', value: (value) => value },
  boolean: { type: 'BOOLEAN', value: (value) => value },
  integer: { type: 'BIGINT', value: (value) => BigInt(value) },
  number: { type: 'DOUBLE', value: (value) => value },
  date: {
    type: 'DATE',
    value: (value, { DuckDBDateValue }) => new DuckDBDateValue(dayNumber(parseDay(String(value))!)),
  },
};

/** What DuckDB needs to know of a declaration. */
export const duckdbKind = ({ type }: AttributeSpec): DuckDBKind => kinds[type];

export interface DuckDBPartOptions extends PartOptions {
  readonly connection: DuckDBConnection;
  /** A name in this connection that nothing else has. */
  readonly name: string;
}

/** SQL for the cells of the column's common values; undefined where the encoder must be asked about every value. */
export const duckdbPart = async (spec: AttributeSpec, options: DuckDBPartOptions): Promise<Part | undefined> =>
  spec.type === 'category' ? categoryPart(spec, options) : sqlPart(spec, options);

/** Texts are equal when their bytes are, in DuckDB and in the encoder alike; an ENUM is DuckDB's hash table of texts. */
const categoryPart = async (
  spec: CategorySpec,
  { connection, cells, column, name }: DuckDBPartOptions,
): Promise<Part | undefined> => {
  const labels = spec.other === undefined ? spec.values : [...spec.values, spec.other];
  const texts = [...new Set([...labels, '', ...(spec.nullValues ?? [])])];
  // A double's text is its shortest in JavaScript (1) and not in DuckDB (1.0).
  if (column.kind === 'double' || !texts.every(isPlain)) return undefined;
  await connection.run(`CREATE TEMP TYPE ${name}_texts AS ENUM (${texts.map(literal).join(', ')})`);
  const empty = orNull(cells.empty);
  return {
    raw: column.sql,
    parsed: `enum_code(TRY_CAST(${valueSql(column)} AS ${name}_texts))::UINTEGER`,
    code: (raw, at) =>
      `CASE WHEN ${at} < ${labels.length} THEN ${at} WHEN ${raw} IS NULL OR ${at} IS NOT NULL THEN ${empty} ELSE ${orNull(cells.unknown)} END`,
  };
};
