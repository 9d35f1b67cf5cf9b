import type { CategorySpec } from '../../../src/domain/attribute/attribute.js';
import { literal } from '../duckdb.js';
import { valueSql } from '../relation.js';
import { type DuckDBKind, isPlain, orNull, type Part, type PartOptions } from './kind.js';

/** Texts are equal when their bytes are, in DuckDB and in the encoder alike; an ENUM is DuckDB's hash table of texts. */
const part = async (
  spec: CategorySpec,
  { connection, cells, column, name }: PartOptions,
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

export const category: DuckDBKind<CategorySpec> = { type: 'VARCHAR', value: (value) => value, part };
