import type { NumericSpec } from '../../../src/domain/attribute/attribute.js';
import { binCount, binEdges, isUnitBins, numericEnds } from '../../../src/domain/attribute/bin-edges.js';
import { cellsBelow, isOpenAbove, isOpenBelow } from '../../../src/domain/attribute/open-ends.js';
import { plainNumber } from '../../../src/domain/attribute/plain-number.js';
import { treeSql } from './bin-sql.js';
import { orNull, type Part, type PartOptions } from './kind.js';

/** Up to so many bins of uneven widths are told by comparisons. */
const LARGEST_TREE = 32;

/**
 * Numbers of a column of integers, by integers alone: engines compute these several times as fast as doubles that may be NULL or NaN, and the cells of all rows are
 * computed for every count. Undefined where an integer of 64 bits, rounded to a double, could have another cell than itself, or arithmetic of 32 bits could overflow.
 */
export const integerPart = (
  spec: NumericSpec,
  { cells, column, dialect: { clamped, quotient } }: PartOptions,
): Part | undefined => {
  const { first, last } = numericEnds(spec);
  const [least, greatest] = [Math.ceil(first), Math.floor(last)];
  const nulls = (spec.nullValues ?? []).map(plainNumber).filter((value) => value !== undefined);
  if (![least, greatest, ...nulls].every((value) => Math.abs(value) < 2 ** 53)) return undefined;
  if (least > greatest || greatest - least >= 2 ** 31) return undefined;
  const bin = isUnitBins(spec) ? unitBin(spec) : binOfInteger(spec, { least, greatest }, quotient);
  if (bin === undefined) return undefined;
  const below = cells.below >= 0 && !isOpenBelow(spec) ? 0 : cells.below;
  const above = cells.above >= 0 && !isOpenAbove(spec) ? binCount(spec) - 1 + cellsBelow(spec) : cells.above;
  const named = [...new Set(nulls)].filter(Number.isInteger).map(whole);
  // Where all that is outside goes to the first and the last bin, no value has to be told from another.
  if (
    clamped !== undefined &&
    column.isNeverNull === true &&
    named.length === 0 &&
    least >= 0 &&
    greatest < 2 ** 31 &&
    below === 0 &&
    above === binCount(spec) - 1 &&
    cellsBelow(spec) === 0
  )
    return { raw: column.sql, code: (x) => bin(clamped(x, least, greatest)), isTotal: true };
  return {
    raw: column.sql,
    // The usual case first; what means "empty" lies outside the bins.
    code: (x) =>
      [
        `CASE WHEN ${x} BETWEEN ${whole(least)} AND ${whole(greatest)} THEN ${bin(x)}${cellsBelow(spec) > 0 ? ' + 1' : ''}`,
        column.isNeverNull === true ? '' : `WHEN ${x} IS NULL THEN ${orNull(cells.empty)}`,
        named.length > 0 ? `WHEN ${x} IN (${named.join(', ')}) THEN ${orNull(cells.empty)}` : '',
        below === above ? '' : `WHEN ${x} < ${whole(least)} THEN ${orNull(below)}`,
        `ELSE ${orNull(above)} END`,
      ].join(' '),
    isTotal: column.isNeverNull === true && below >= 0 && above >= 0 && (named.length === 0 || cells.empty >= 0),
  };
};

type Quotient = (a: string, b: string) => string;

/** A constant; one below zero in parentheses, since two signs in a row begin a comment. */
const whole = (value: number): string => (value < 0 ? `(${value})` : String(value + 0));

const from = (x: string, first: number): string => (first === 0 ? x : `(${x} - ${whole(first)})`);

const unitBin =
  ({ min }: NumericSpec) =>
  (x: string): string =>
    from(x, min!);

/** An integer has reached an edge when it has reached the integer at or above it. */
const binOfInteger = (
  spec: NumericSpec,
  { least, greatest }: { readonly least: number; readonly greatest: number },
  quotient: Quotient,
): ((x: string) => string) | undefined => {
  const edges = binEdges(spec).map(Math.ceil);
  const bins = edges.length - 1;
  const width = edges[1] - least;
  const isEven = edges.every((edge, i) => i === bins || edge === least + i * width);
  if (bins > 1 && isEven) {
    const even = (x: string): string => quotient(from(x, least), String(width));
    // The last bin may be wider than the others: it holds its last edge.
    return greatest < least + bins * width
      ? even
      : (x) => `CASE WHEN ${x} >= ${whole(edges[bins - 1])} THEN ${bins - 1} ELSE ${even(x)} END`;
  }
  return bins <= LARGEST_TREE ? (x) => treeSql(edges, whole, x) : undefined;
};
