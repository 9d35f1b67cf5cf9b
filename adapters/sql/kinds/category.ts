import type { CategorySpec } from '../../../src/domain/attribute/attribute.js';
import { doublesNamed, isPlain, orNull, type Part, type PartOptions } from './kind.js';

/** Texts are equal when their bytes are, in an engine (`Dialect.text`) and in the encoder alike. */
export const categoryPart = (spec: CategorySpec, options: PartOptions): Part | undefined => {
  const { cells, column, dialect } = options;
  const labels = spec.other === undefined ? spec.values : [...spec.values, spec.other];
  if (column.kind === 'double') return ofDoubles(labels, spec, options);
  if (dialect.lookup === undefined) return undefined;
  const [empty, unknown] = [labels.length, orNull(cells.unknown)];
  const numbers = new Map(['', ...(spec.nullValues ?? [])].map((text) => [text, empty]));
  for (const [cell, text] of labels.entries()) numbers.set(text, cell); // a declared '' is a value
  for (const text of numbers.keys()) if (!isPlain(text)) numbers.delete(text);
  return {
    raw: column.sql,
    parsed: dialect.lookup(dialect.text(column.sql), numbers),
    code: (raw, at) =>
      `CASE WHEN ${at} < ${empty} THEN ${at} WHEN ${raw} IS NULL OR ${at} IS NOT NULL THEN ${orNull(cells.empty)} ELSE ${unknown} END`,
  };
};

const ofDoubles = (
  labels: readonly string[],
  { nullValues = [] }: CategorySpec,
  { cells, column, dialect }: PartOptions,
): Part => {
  const known = new Set(labels);
  const nulls = [...doublesNamed(nullValues.filter((text) => !known.has(text))).values()];
  const named = doublesNamed(labels);
  return {
    raw: column.sql,
    parsed: dialect.toDouble(column.sql),
    code: (_, x) =>
      [
        `CASE WHEN ${x} IS NULL OR ${dialect.isNaN(x)} THEN ${orNull(cells.empty)}`,
        ...nulls.map((value) => `WHEN ${x} = ${dialect.double(value)} THEN ${orNull(cells.empty)}`),
        ...[...labels.entries()].flatMap(([cell, text]) =>
          named.has(text) ? [`WHEN ${x} = ${dialect.double(named.get(text)!)} THEN ${cell}`] : [],
        ),
        `ELSE ${orNull(cells.unknown)} END`,
      ].join(' '),
  };
};
