import type { Attribute, AttributeSpec, BooleanSpec, CategorySpec, DateSpec, NumericSpec } from './attribute.js';
import { binCount, binEdges, binOf, isUnitBins } from './bin-edges.js';
import { type Day, dayOfDate, parseDay, periodNumber } from './calendar.js';
import { nullCell, otherCell, valueCells } from './cells.js';
import { plainNumber } from './plain-number.js';
import { valueText } from './value-text.js';

/** What an encoder answers for a value that the attribute has no cell for. */
export const UNDECLARED = -1;
/** What an encoder answers for an empty value where the attribute declares no null cell. */
export const EMPTY = -2;

/** The cell of a value, or `UNDECLARED` or `EMPTY`. Never throws, so that the caller can name the column and the row. */
export type Encoder = (value: unknown) => number;

/**
 * The function from values to cells of an attribute. Empty are null, undefined, NaN, an invalid `Date`, the empty text and
 * the declared `nullValues`. Cost a value: a map lookup for categories, arithmetic or a binary search for numbers.
 */
export const columnEncoder = ({ spec }: Attribute): Encoder => {
  switch (spec.type) {
    case 'category':
      return categoryEncoder(spec);
    case 'boolean':
      return booleanEncoder(spec);
    case 'integer':
    case 'number':
      return numericEncoder(spec);
    case 'date':
      return dateEncoder(spec);
  }
};

/** Why a value could not be encoded and what to do about it, in words that hold nothing of the value. */
export const encodingProblem = ({ spec }: Attribute, code: number): string => {
  if (code === EMPTY) return 'empty, and the attribute has no cell for that; add `"null": true` to it';
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

const categoryEncoder = (spec: CategorySpec): Encoder => {
  const empty = spec.null === true ? nullCell(spec) : EMPTY;
  const rest = otherCell(spec); // -1 is UNDECLARED
  const cells = new Map<string, number>([['', empty]]);
  for (const text of spec.nullValues ?? []) cells.set(text, empty);
  for (const [cell, text] of spec.values.entries()) cells.set(text, cell); // a declared '' is a value
  return (value) => {
    const text = valueText(value);
    if (text === undefined) return UNDECLARED;
    return text === '' && typeof value !== 'string' ? empty : (cells.get(text) ?? rest);
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

const booleanEncoder = (spec: BooleanSpec): Encoder => {
  const empty = spec.null === true ? nullCell(spec) : EMPTY;
  const nulls = nullTexts(spec);
  return (value) => {
    if (value === true) return 1;
    if (value === false) return 0;
    const text = valueText(value)?.trim();
    if (text === undefined) return UNDECLARED;
    return nulls.has(text) ? empty : (BOOLEAN_TEXTS.get(text.toLowerCase()) ?? UNDECLARED);
  };
};

const numericEncoder = (spec: NumericSpec): Encoder => {
  const empty = spec.null === true ? nullCell(spec) : EMPTY;
  const nulls = nullTexts(spec);
  // A null text that spells a number stands for that number however it is written: -9, "-9" and "-9.0".
  const nullNumbers = new Set((spec.nullValues ?? []).map(plainNumber).filter((value) => value !== undefined));
  const bin = isUnitBins(spec) ? unitBin(spec) : edgeBin(binEdges(spec));
  const whole = spec.type === 'integer';
  const ofNumber = (x: number): number => {
    if (nullNumbers.size > 0 && nullNumbers.has(x)) return empty;
    // Infinities are not fractions: they clamp.
    return whole && x % 1 !== 0 && Number.isFinite(x) ? UNDECLARED : bin(x);
  };
  return (value) => {
    if (typeof value === 'number') return Number.isNaN(value) ? empty : ofNumber(value);
    if (typeof value === 'string') {
      const x = plainNumber(value);
      if (x !== undefined) return ofNumber(x);
      return nulls.has(value.trim()) ? empty : UNDECLARED;
    }
    if (typeof value === 'bigint') return ofNumber(Number(value));
    return value === null || value === undefined ? empty : UNDECLARED;
  };
};

const unitBin = (spec: NumericSpec) => {
  const min = spec.min!;
  const last = binCount(spec) - 1;
  return (x: number): number => (x <= min ? 0 : Math.min(x - min, last));
};

const edgeBin = (edges: Float64Array) => (x: number) => binOf(edges, x);

const dateEncoder = (spec: DateSpec): Encoder => {
  const empty = spec.null === true ? nullCell(spec) : EMPTY;
  const nulls = nullTexts(spec);
  const first = periodNumber(spec.by, parseDay(spec.min)!);
  const last = valueCells(spec) - 1;
  const ofDay = (day: Day | undefined): number =>
    day === undefined ? UNDECLARED : Math.min(Math.max(periodNumber(spec.by, day) - first, 0), last);
  return (value) => {
    if (typeof value === 'string') return nulls.has(value.trim()) ? empty : ofDay(parseDay(value));
    if (valueText(value) === '') return empty;
    return value instanceof Date ? ofDay(dayOfDate(value)) : UNDECLARED;
  };
};
