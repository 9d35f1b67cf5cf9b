import type { NumericSpec } from '../../../src/domain/attribute/attribute.js';
import { binCount, binEdges, isUnitBins, numericEnds } from '../../../src/domain/attribute/bin-edges.js';
import { cellsBelow, isOpenAbove, isOpenBelow } from '../../../src/domain/attribute/open-ends.js';
import { plainNumber } from '../../../src/domain/attribute/plain-number.js';
import { type CellDialect, floorSql, PLAIN_NUMBER, SHORT_NUMBER } from '../dialect.js';
import { type BinSql, binSql } from './bin-sql.js';
import { integerPart } from './integer.js';
import { isEmpty, orNull, type Part, type PartOptions } from './kind.js';

/**
 * Numbers. Engines and JavaScript round a 64-bit integer, and a decimal text, to the nearest double; the texts of the short form have no exponent and
 * few digits, so nothing overflows.
 */
export const numericPart = (spec: NumericSpec, options: PartOptions): Part | undefined => {
  const { cells, column, dialect, ask } = options;
  const own = column.kind === 'integer' && ask === undefined ? integerPart(spec, options) : undefined;
  if (own !== undefined) return own;
  const bins = isUnitBins(spec) ? unitBins(spec, dialect) : binSql(binEdges(spec), dialect, ask === undefined);
  if (bins === undefined || (ask !== undefined && column.kind === 'boolean')) return undefined;
  const text = dialect.text(column.sql);
  const empty = orNull(cells.empty);
  const { first, last } = numericEnds(spec);
  const nullTexts = (spec.nullValues ?? []).filter((value) => plainNumber(value) === undefined);
  const nulls = new Set((spec.nullValues ?? []).map(plainNumber).filter((value) => value !== undefined));
  const typed = column.kind === 'integer' || column.kind === 'double';
  const mayBeFraction = spec.type === 'integer' && column.kind !== 'integer';
  // A fraction is unknown among integers; only where such values are clipped and have no null cell is its place that of the integer below it.
  const isClipped = mayBeFraction && spec.null !== true && cells.unknown >= 0;
  const placed = (x: string): string => (isClipped ? floorSql(dialect, x) : x);
  return {
    raw: column.sql,
    parsed: typed ? dialect.toDouble(column.sql) : doubleOfText(dialect, text, ask === undefined),
    guess: (x) => bins.guess(placed(x)),
    code: (raw, x, guess) =>
      [
        typed
          ? `CASE WHEN ${x} IS NULL OR ${dialect.isNaN(x)} THEN ${empty}`
          : `CASE WHEN ${x} IS NULL AND (${isEmpty(options, dialect.text(raw), nullTexts)}) THEN ${empty} WHEN ${x} IS NULL THEN ${ask?.(raw) ?? orNull(cells.unknown)}`,
        nulls.size > 0 ? `WHEN ${x} IN (${[...nulls].map(dialect.double).join(', ')}) THEN ${empty}` : '',
        mayBeFraction && !isClipped ? `WHEN ${x} <> ${floorSql(dialect, x)} THEN ${orNull(cells.unknown)}` : '',
        // Where a rule keeps what is beyond the ends and these are not open, the bins below clamp by themselves.
        cells.below < 0 || isOpenBelow(spec)
          ? `WHEN ${placed(x)} < ${dialect.double(first)} THEN ${orNull(cells.below)}`
          : '',
        cells.above < 0 || isOpenAbove(spec)
          ? `WHEN ${placed(x)} > ${dialect.double(last)} THEN ${orNull(cells.above)}`
          : '',
        isOpenBelow(spec)
          ? `ELSE ${bins.bin(placed(x), guess)} + ${cellsBelow(spec)} END`
          : `ELSE ${bins.bin(placed(x), guess)} END`,
      ].join(' '),
  };
};

const doubleOfText = (dialect: CellDialect, text: string, isWhole: boolean): string => {
  const trimmed = dialect.trim(text);
  const others = `WHEN ${dialect.matches(trimmed, PLAIN_NUMBER)} THEN ${dialect.plainDouble?.(trimmed)}`;
  return `CASE WHEN ${dialect.matches(text, SHORT_NUMBER)} THEN ${dialect.shortDouble(text)} ${isWhole ? others : ''} END`;
};

const unitBins = (spec: NumericSpec, { double }: CellDialect): BinSql => ({
  guess: () => 'NULL',
  bin: (x) => `greatest(${double(0)}, least(${double(binCount(spec) - 1)}, ${x} - ${double(spec.min!)}))`,
});
