import type { BooleanSpec } from '../../../src/domain/attribute/attribute.js';
import { BOOLEAN_TEXTS } from '../../../src/domain/attribute/kinds/boolean.js';
import { literal } from '../duckdb.js';
import { valueSql } from '../relation.js';
import { type DuckDBKind, isEmpty, orNull, type Part, type PartOptions } from './kind.js';

const part = (spec: BooleanSpec, { cells: { empty }, column, fallback }: PartOptions): Part | undefined => {
  const nulls = new Set(spec.nullValues ?? []);
  const texts = (cell: number) =>
    [...BOOLEAN_TEXTS].filter(([text, of]) => of === cell && !nulls.has(text)).map(([text]) => literal(text));
  if (column.kind === 'double') return undefined;
  return {
    raw: column.sql,
    parsed: valueSql(column),
    code: (raw, text) =>
      `CASE WHEN ${isEmpty(text, nulls)} THEN ${orNull(empty)} WHEN ${text} IN (${texts(0).join(', ')}) THEN 0 WHEN ${text} IN (${texts(1).join(', ')}) THEN 1 ELSE ${fallback(raw)} END`,
  };
};

export const boolean: DuckDBKind<BooleanSpec> = { type: 'BOOLEAN', value: (value) => value, part };
