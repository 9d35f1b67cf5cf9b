import { BEYOND, EMPTY, type Outside, outsideCells } from '../schema/outside.js';
import type { Attribute, AttributeSpec, BooleanSpec, CategorySpec, DateSpec, NumericSpec } from './attribute.js';
import { binCount, binEdges, binOf, isUnitBins } from './bin-edges.js';
import { type Day, dayOfDate, parseDay, periodNumber } from './calendar.js';
import { otherCell, valueCells } from './cells.js';
import { plainNumber } from './plain-number.js';
import { valueText } from './value-text.js';

export { BEYOND, EMPTY, UNDECLARED } from '../schema/outside.js';

/** The cell of a value, or `UNDECLARED`, `EMPTY` or `BEYOND`. Never throws, so that the caller can name the column and the row. */
export type Encoder = (value: unknown) => number;

/**
 * The function from values to cells of an attribute, under a rule for values that it does not name. Empty are null, undefined, NaN,
 * an invalid `Date`, the empty text and the declared `nullValues`. Cost a value: a map lookup for categories, arithmetic or a binary
 * search for numbers.
 */
export const columnEncoder = ({ spec }: Attribute, outside: Outside = 'declared'): Encoder => {
  switch (spec.type) {
    case 'category':
      return categoryEncoder(spec, outside);
    case 'boolean':
      return booleanEncoder(spec, outside);
    case 'integer':
    case 'number':
      return numericEncoder(spec, outside);
    case 'date':
      return dateEncoder(spec, outside);
  }
};

/** Why a value could not be encoded and what to do about it, in words that hold nothing of the value. */
export const encodingProblem = ({ spec }: Attribute, code: number): string => {
  if (code === EMPTY) return 'empty, and the attribute has no cell for that; add `"null": true` to it';
  if (code === BEYOND)
    return 'beyond the declared range, which was to stop the run; widen the range or choose another rule';
  switch (spec.type) {
    case 'category':
      return "not a declared value; add it to the schema's values or give the attribute an `other`";
    case 'boolean':
      return 'not true or false (true, false, t, f, yes, no, y, n, 1, 0); correct it or list the text in `nullValues`';
    case 'integer':
      return 'not a whole number; correct it, list the text in `nullValues`, or declare the attribute as "number"';
    case 'number':
      return 'not a plain decimal number; correct it or list the text in `nullValues`';
    case 'date':
      return 'not an ISO date such as 2014-03-31; correct it or list the text in `nullValues`';
  }
};

// Where spaces mean nothing in values, they mean nothing in null texts.
const nullTexts = (spec: AttributeSpec): ReadonlySet<string> =>
  new Set(['', ...(spec.nullValues ?? []).map((text) => text.trim())]);

const categoryEncoder = (spec: CategorySpec, outside: Outside): Encoder => {
  const { empty, unknown } = outsideCells(spec, outside);
  const cells = new Map<string, number>([['', empty]]);
  for (const text of spec.nullValues ?? []) cells.set(text, empty);
  if (spec.other !== undefined) cells.set(spec.other, otherCell(spec)); // what synthetic rows hold is inside under every rule
  for (const [cell, text] of spec.values.entries()) cells.set(text, cell); // a declared '' is a value
  return (value) => {
    const text = valueText(value);
    if (text === undefined) return unknown;
    return text === '' && typeof value !== 'string' ? empty : (cells.get(text) ?? unknown);
  };
};

const BOOLEANS: readonly (readonly [string, number])[] = [
  ['false', 0],
  ['f', 0],
  ['no', 0],
  ['n', 0],
  ['0', 0],
  ['true', 1],
  ['t', 1],
  ['yes', 1],
  ['y', 1],
  ['1', 1],
];

/** Cells of the texts that a boolean attribute reads, in lower case. */
export const BOOLEAN_TEXTS: ReadonlyMap<string, number> = new Map(BOOLEANS);

const booleanEncoder = (spec: BooleanSpec, outside: Outside): Encoder => {
  const { empty, unknown } = outsideCells(spec, outside);
  const nulls = nullTexts(spec);
  return (value) => {
    if (value === true) return 1;
    if (value === false) return 0;
    const text = valueText(value)?.trim();
    if (text === undefined) return unknown;
    return nulls.has(text) ? empty : (BOOLEAN_TEXTS.get(text.toLowerCase()) ?? unknown);
  };
};

const numericEncoder = (spec: NumericSpec, outside: Outside): Encoder => {
  const { empty, unknown, below, above } = outsideCells(spec, outside);
  const nulls = nullTexts(spec);
  // A null text that spells a number stands for that number however it is written: -9, "-9" and "-9.0".
  const nullNumbers = new Set((spec.nullValues ?? []).map(plainNumber).filter((value) => value !== undefined));
  const bin = isUnitBins(spec) ? unitBin(spec) : edgeBin(binEdges(spec));
  const { first, last } = numericEnds(spec);
  const whole = spec.type === 'integer';
  const isFraction = (x: number): boolean => whole && x % 1 !== 0 && Number.isFinite(x); // infinities are beyond
  const ofNumber = (x: number): number => {
    if (nullNumbers.size > 0 && nullNumbers.has(x)) return empty;
    // Without a null cell, the nearest place of a fraction is that of the integer below it.
    if (isFraction(x)) return outside === 'clip' && spec.null !== true ? bin(Math.floor(x)) : unknown;
    return x < first ? below : x > last ? above : bin(x);
  };
  return (value) => {
    if (typeof value === 'number') return Number.isNaN(value) ? empty : ofNumber(value);
    if (typeof value === 'string') {
      const x = plainNumber(value);
      if (x !== undefined) return ofNumber(x);
      return nulls.has(value.trim()) ? empty : unknown;
    }
    if (typeof value === 'bigint') return ofNumber(Number(value));
    return value === null || value === undefined ? empty : unknown;
  };
};

/** The least and the greatest number inside the bins of a checked numeric attribute. */
export const numericEnds = (spec: NumericSpec): { readonly first: number; readonly last: number } =>
  spec.edges === undefined
    ? { first: spec.min!, last: spec.max! }
    : { first: spec.edges[0], last: spec.edges[spec.edges.length - 1] - (spec.type === 'integer' ? 1 : 0) };

const unitBin = (spec: NumericSpec) => {
  const min = spec.min!;
  const last = binCount(spec) - 1;
  return (x: number): number => (x <= min ? 0 : Math.min(x - min, last));
};

const edgeBin = (edges: Float64Array) => (x: number) => binOf(edges, x);

const dateEncoder = (spec: DateSpec, outside: Outside): Encoder => {
  const { empty, unknown, below, above } = outsideCells(spec, outside);
  const nulls = nullTexts(spec);
  const first = periodNumber(spec.by, parseDay(spec.min)!);
  const last = valueCells(spec) - 1;
  const ofDay = (day: Day | undefined): number => {
    if (day === undefined) return unknown;
    const cell = periodNumber(spec.by, day) - first;
    return cell < 0 ? below : cell > last ? above : cell;
  };
  return (value) => {
    if (typeof value === 'string') return nulls.has(value.trim()) ? empty : ofDay(parseDay(value));
    if (valueText(value) === '') return empty;
    return value instanceof Date ? ofDay(dayOfDate(value)) : unknown;
  };
};
