import type { NumericSpec, SpecOf } from '../../../src/domain/attribute/attribute.js';
import { binCount, binEdges, isUnitBins, numericEnds } from '../../../src/domain/attribute/bin-edges.js';
import { cellsBelow, isOpenAbove, isOpenBelow } from '../../../src/domain/attribute/open-ends.js';
import { plainNumber } from '../../../src/domain/attribute/plain-number.js';
import { double } from '../duckdb.js';
import { valueSql } from '../relation.js';
import { type BinSql, binSql } from './bin-sql.js';
import { type DuckDBKind, isEmpty, orNull, type Part, type PartOptions } from './kind.js';

/**
 * Numbers. DuckDB and JavaScript both round a 64-bit integer, and a decimal text, to the nearest double; the texts let
 * through here have no exponent and few digits, so nothing overflows.
 */
const part = (spec: NumericSpec, { cells, column, fallback }: PartOptions): Part | undefined => {
  const bins = isUnitBins(spec) ? unitBins(spec) : binSql(binEdges(spec));
  if (bins === undefined || column.kind === 'boolean') return undefined;
  const text = valueSql(column);
  const empty = orNull(cells.empty);
  const { first, last } = numericEnds(spec);
  const nullTexts = (spec.nullValues ?? []).filter((value) => plainNumber(value) === undefined);
  const nulls = new Set((spec.nullValues ?? []).map(plainNumber).filter((value) => value !== undefined));
  const typed = column.kind === 'integer' || column.kind === 'double';
  // A fraction is unknown among integers; only where such values are clipped and have no null cell is its place worked out.
  const fraction = (raw: string) => (spec.null !== true && cells.unknown >= 0 ? fallback(raw) : orNull(cells.unknown));
  return {
    raw: column.sql,
    parsed: typed
      ? `${column.sql}::DOUBLE`
      : `CASE WHEN regexp_full_match(${text}, '-?[0-9]{1,18}(\\.[0-9]{0,18})?') THEN TRY_CAST(${text} AS DOUBLE) END`,
    guess: bins.guess,
    code: (raw, x, guess) =>
      [
        typed
          ? `CASE WHEN ${x} IS NULL OR isnan(${x}) THEN ${empty}`
          : `CASE WHEN ${x} IS NULL THEN CASE WHEN ${isEmpty(valueSql(column, raw), nullTexts)} THEN ${empty} ELSE ${fallback(raw)} END`,
        nulls.size > 0 ? `WHEN ${x} IN (${[...nulls].map(double).join(', ')}) THEN ${empty}` : '',
        spec.type === 'integer' && column.kind !== 'integer' ? `WHEN ${x} <> trunc(${x}) THEN ${fraction(raw)}` : '',
        // Where a rule keeps what is beyond the ends and these are not open, the bins below clamp by themselves.
        cells.below < 0 || isOpenBelow(spec) ? `WHEN ${x} < ${double(first)} THEN ${orNull(cells.below)}` : '',
        cells.above < 0 || isOpenAbove(spec) ? `WHEN ${x} > ${double(last)} THEN ${orNull(cells.above)}` : '',
        isOpenBelow(spec) ? `ELSE ${bins.bin(x, guess)} + ${cellsBelow(spec)} END` : `ELSE ${bins.bin(x, guess)} END`,
      ].join(' '),
  };
};

const unitBins = (spec: NumericSpec): BinSql => ({
  guess: () => 'NULL',
  bin: (x) => `greatest(${double(0)}, least(${double(binCount(spec) - 1)}, ${x} - ${double(spec.min!)}))`,
});

export const integer: DuckDBKind<SpecOf<'integer'>> = { type: 'BIGINT', value: (value) => BigInt(value), part };
export const number: DuckDBKind<SpecOf<'number'>> = { type: 'DOUBLE', value: (value) => value, part };
