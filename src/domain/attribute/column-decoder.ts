import type { Random } from '../../random/random.js';
import { uniformInteger } from '../../random/uniform.js';
import type { Attribute } from './attribute.js';
import { nullCell, valueCells } from './cells.js';
import { columnEncoder } from './column-encoder.js';
import type { CellValue, Drawing } from './kinds/kind.js';
import { kindOf } from './kinds/kinds.js';

export type { CellValue } from './kinds/kind.js';

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
 * values too, give values within the declared bounds, and open ends values beyond them. Draws from `random` for numbers and dates only.
 */
export const columnDecoder = (
  attribute: Attribute,
  options: DecodeOptions,
  random: Random,
): ((cell: number) => CellValue) => {
  const { spec } = attribute;
  const empty = nullCell(spec);
  const kind = kindOf(spec);
  const drawing = kind.drawing(spec, random);
  const single = kind.single(spec)!;
  if (drawing === undefined) return (cell) => (cell === empty ? null : single(cell)!);
  const { draw, write } = drawing;
  const pool = options.like === undefined ? undefined : publicPool(attribute, drawing, options.like);
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

interface Pool {
  /** Public values, as numbers, grouped by cell. */
  readonly values: Float64Array;
  /** Cell c has values[offsets[c]] up to values[offsets[c + 1]]. */
  readonly offsets: Uint32Array;
}

/** Groups the public values that lie within the declared bounds by cell (a counting sort). 12 bytes a value. */
const publicPool = (attribute: Attribute, { read }: Drawing, like: ArrayLike<unknown>): Pool => {
  const encode = columnEncoder(attribute);
  const cells = valueCells(attribute.spec);
  const codes = new Int32Array(like.length).fill(-1);
  const numbers = new Float64Array(like.length);
  const offsets = new Uint32Array(cells + 1);
  for (let row = 0; row < like.length; row++) {
    const code = encode(like[row]);
    if (code < 0 || code >= cells) continue;
    const x = read(like[row]);
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
