import type { Random } from '../../random/random.js';
import { uniform, uniformInteger } from '../../random/uniform.js';
import type { Attribute, DateSpec, NumericSpec } from './attribute.js';
import { binEdges, isUnitBins } from './bin-edges.js';
import { dayNumber, dayOfDate, dayOfNumber, isoDay, parseDay, periodNumber, periodStart } from './calendar.js';
import { cellLabels, nullCell, valueCells } from './cells.js';
import { columnEncoder } from './column-encoder.js';
import { plainNumber } from './plain-number.js';

/** A value as it is written to a synthetic table: a category's text, a number, true or false, an ISO day, or null. */
export type CellValue = string | number | boolean | null;

export interface DecodeOptions {
  /**
   * Values of this column in a *public* table: numbers and dates are then drawn from the public values in the cell instead
   * of uniformly. Cells without public values, and public values outside the declared bounds, fall back to uniform.
   */
  readonly like?: ArrayLike<unknown> | undefined;
}

/**
 * The function from cells to values: the inverse of `columnEncoder`, so encoding a decoded cell gives the cell back. A
 * category's `other` cell gives the label of `other`, the null cell gives null; cells at the ends, which hold clamped
 * values too, give values within the declared bounds. Draws from `random` for numbers and dates only.
 */
export const columnDecoder = (
  attribute: Attribute,
  options: DecodeOptions,
  random: Random,
): ((cell: number) => CellValue) => {
  const { spec } = attribute;
  const empty = nullCell(spec);
  if (spec.type === 'category') {
    const labels = cellLabels(attribute);
    return (cell) => (cell === empty ? null : labels[cell]);
  }
  if (spec.type === 'boolean') return (cell) => (cell === empty ? null : cell === 1);
  const draw = spec.type === 'date' ? dayDrawer(spec, random) : numberDrawer(spec, random);
  const write = spec.type === 'date' ? dayWriter() : (value: number) => value;
  const pool = options.like === undefined ? undefined : publicPool(attribute, options.like);
  return (cell) => {
    if (cell === empty) return null;
    if (pool !== undefined) {
      const start = pool.offsets[cell];
      const count = pool.offsets[cell + 1] - start;
      if (count > 0) return write(pool.values[start + uniformInteger(random, count)]);
    }
    return write(draw(cell));
  };
};

const numberDrawer = (spec: NumericSpec, random: Random): ((cell: number) => number) => {
  if (isUnitBins(spec)) return (cell) => spec.min! + cell;
  const edges = binEdges(spec);
  if (spec.type === 'integer') {
    return (cell) => edges[cell] + uniformInteger(random, edges[cell + 1] - edges[cell]);
  }
  return (cell) => {
    const low = edges[cell];
    const high = edges[cell + 1];
    const u = uniform(random);
    const width = high - low;
    const x = Number.isFinite(width) ? low + width * u : low * (1 - u) + high * u;
    // Rounding may land on the upper edge, which belongs to the next bin.
    return x >= low && x < high ? x : low;
  };
};

const dayDrawer = (spec: DateSpec, random: Random): ((cell: number) => number) => {
  const min = dayNumber(parseDay(spec.min)!);
  const max = dayNumber(parseDay(spec.max)!);
  const first = periodNumber(spec.by, parseDay(spec.min)!);
  return (cell) => {
    const low = Math.max(min, periodStart(spec.by, first + cell));
    const high = Math.min(max, periodStart(spec.by, first + cell + 1) - 1);
    return low + uniformInteger(random, high - low + 1);
  };
};

/** Writes day numbers as ISO days; days repeat, so their texts are kept, up to a few megabytes of them. */
const dayWriter = (): ((day: number) => string) => {
  const texts = new Map<number, string>();
  return (day) => {
    const known = texts.get(day);
    if (known !== undefined) return known;
    const text = isoDay(dayOfNumber(day));
    if (texts.size < 50_000) texts.set(day, text);
    return text;
  };
};

interface Pool {
  /** Public values, as numbers or day numbers, grouped by cell. */
  readonly values: Float64Array;
  /** Cell c has values[offsets[c]] up to values[offsets[c + 1]]. */
  readonly offsets: Uint32Array;
}

/** Groups the public values that lie within the declared bounds by cell (a counting sort). 12 bytes a value. */
const publicPool = (attribute: Attribute, like: ArrayLike<unknown>): Pool => {
  const { spec } = attribute;
  const encode = columnEncoder(attribute);
  const cells = valueCells(spec);
  const inside = insideBounds(attribute);
  const codes = new Int32Array(like.length).fill(-1);
  const numbers = new Float64Array(like.length);
  const offsets = new Uint32Array(cells + 1);
  for (let row = 0; row < like.length; row++) {
    const code = encode(like[row]);
    if (code < 0 || code >= cells) continue;
    const x = inside(like[row]);
    if (x === undefined) continue;
    codes[row] = code;
    numbers[row] = x;
    offsets[code + 1]++;
  }
  for (let cell = 0; cell < cells; cell++) offsets[cell + 1] += offsets[cell];
  const next = offsets.slice();
  const values = new Float64Array(offsets[cells]);
  for (let row = 0; row < like.length; row++) {
    if (codes[row] >= 0) values[next[codes[row]]++] = numbers[row];
  }
  return { values, offsets };
};

/** Reads an encodable value as a number, or undefined when it lies outside the declared bounds. */
const insideBounds = ({ spec }: Attribute): ((value: unknown) => number | undefined) => {
  if (spec.type === 'date') {
    const min = dayNumber(parseDay(spec.min)!);
    const max = dayNumber(parseDay(spec.max)!);
    return (value) => {
      const day = value instanceof Date ? dayOfDate(value) : parseDay(String(value));
      const number = day === undefined ? Number.NaN : dayNumber(day);
      return number >= min && number <= max ? number : undefined;
    };
  }
  if (spec.type === 'category' || spec.type === 'boolean') return () => undefined;
  const { edges } = spec;
  const low = edges?.[0] ?? spec.min!;
  const high = edges === undefined ? spec.max! : edges[edges.length - 1] - (spec.type === 'integer' ? 1 : 0);
  return (value) => {
    const x = typeof value === 'string' ? plainNumber(value) : Number(value) + 0;
    return x !== undefined && x >= low && x <= high ? x : undefined;
  };
};
