import { InputError } from '../../../domain/input-error.js';
import { limits } from '../../../domain/limits.js';
import { cellWalk, copyInto, stridesIn, sumInto } from '../cell-walk.js';

/** A table over numbered axes, row-major in their order. */
export interface AxisTable {
  readonly axes: readonly number[];
  readonly sizes: readonly number[];
  readonly values: Float64Array;
}

/** The largest table made at once, in cells: as large as all tables of a model may be. */
export const largestTable = limits.modelBytes / 8;

const product = (numbers: readonly number[]): number => numbers.reduce((all, number) => all * number, 1);

/** An answer would take a table of more cells than may be made at once. */
export class TableTooLarge extends InputError {
  constructor(cells: number, largest: number) {
    super(`marginal: no table on the way may have more than ${largest} cells, got ${cells}; ask for fewer attributes`);
  }
}

/** Zeros; refuses what would not fit memory before it is allocated. */
export const zeros = (sizes: readonly number[], largest = largestTable): Float64Array => {
  const cells = product(sizes);
  if (cells > largest) throw new TableTooLarge(cells, largest);
  return new Float64Array(cells);
};

const pick = ({ axes, sizes }: AxisTable, wanted: readonly number[]): number[] =>
  wanted.map((axis) => sizes[axes.indexOf(axis)]);

const sameList = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

/** The table with its axes in another order; the same one when it is that already. */
export const arranged = (table: AxisTable, axes: readonly number[]): AxisTable => {
  if (sameList(table.axes, axes)) return table;
  const sizes = pick(table, axes);
  const values = zeros(sizes);
  copyInto(cellWalk(table.sizes, stridesIn(table.axes, axes, sizes)), table.values, values);
  return { axes, sizes, values };
};

/** The sums of a table over all axes but those, which come in the order given. */
export const projected = (table: AxisTable, axes: readonly number[]): AxisTable => {
  if (axes.length === table.axes.length) return arranged(table, axes);
  const sizes = pick(table, axes);
  const values = zeros(sizes);
  sumInto(cellWalk(table.sizes, stridesIn(table.axes, axes, sizes)), table.values, values);
  return { axes, sizes, values };
};

/** The product of two tables that have no axis in common. */
export const outer = (first: AxisTable, second: AxisTable): AxisTable => {
  const sizes = [...first.sizes, ...second.sizes];
  const values = zeros(sizes);
  const width = second.values.length;
  for (let i = 0, at = 0; i < first.values.length; i++) {
    const factor = first.values[i];
    for (let j = 0; j < width; j++, at++) values[at] = factor * second.values[j];
  }
  return { axes: [...first.axes, ...second.axes], sizes, values };
};

/** Multiplications that the product of two tables takes. */
export const contractionCost = (a: AxisTable, b: AxisTable): number =>
  product(a.sizes) * product(b.sizes.filter((_, i) => !a.axes.includes(b.axes[i])));

/**
 * The product of two tables summed over the axes that both have and `keep` does not: a matrix product for each combination of the
 * common axes that stay. About a nanosecond a multiplication; no result of more than `largest` cells is begun.
 */
export const contract = (
  first: AxisTable,
  second: AxisTable,
  keep: ReadonlySet<number>,
  largest = largestTable,
): AxisTable => {
  const common = first.axes.filter((axis) => second.axes.includes(axis));
  const batch = common.filter((axis) => keep.has(axis));
  const summed = common.filter((axis) => !keep.has(axis));
  const firstOwn = first.axes.filter((axis) => !common.includes(axis));
  const secondOwn = second.axes.filter((axis) => !common.includes(axis));
  // The inner loop runs along the right-hand table's own axes: let those be the longer ones.
  const swap = product(pick(second, secondOwn)) < product(pick(first, firstOwn));
  const [left, right] = swap ? [second, first] : [first, second];
  const [own, other] = swap ? [secondOwn, firstOwn] : [firstOwn, secondOwn];
  const axes = [...batch, ...own, ...other];
  const sizes = [...pick(left, batch), ...pick(left, own), ...pick(right, other)];
  const values = zeros(sizes, largest);
  const transposed = sameList(left.axes, [...batch, ...summed, ...own]);
  const a = transposed ? left : arranged(left, [...batch, ...own, ...summed]);
  const b = arranged(right, [...batch, ...summed, ...other]);
  const [batches, rows, inner, columns] = [
    product(pick(left, batch)),
    product(pick(left, own)),
    product(pick(left, summed)),
    product(pick(right, other)),
  ];
  const [rowStep, innerStep] = transposed ? [1, rows] : [inner, 1];
  for (let i = 0; i < batches; i++)
    multiplyInto(
      { values: a.values, start: i * rows * inner, rowStep, innerStep },
      { values: b.values, start: i * inner * columns },
      { values, start: i * rows * columns },
      rows,
      inner,
      columns,
    );
  return { axes, sizes, values };
};

interface Left {
  readonly values: Float64Array;
  readonly start: number;
  readonly rowStep: number;
  readonly innerStep: number;
}
interface Matrix {
  readonly values: Float64Array;
  readonly start: number;
}

/** Columns and inner rows of the right-hand matrix that are worked on at a time: 64 KiB of it. */
const columnBlock = 256;
const innerBlock = 32;

/** c += a b for row-major b (inner x columns) and c (rows x columns): in blocks, two rows by four inner steps at a time. */
const multiplyInto = (
  left: Left,
  right: Matrix,
  target: Matrix,
  rows: number,
  inner: number,
  columns: number,
): void => {
  const { values: a, start: a0, rowStep, innerStep } = left;
  const { values: b, start: b0 } = right;
  const { values: c, start: c0 } = target;
  for (let from = 0; from < columns; from += columnBlock) {
    const width = Math.min(columnBlock, columns - from);
    for (let s0 = 0; s0 < inner; s0 += innerBlock) {
      const end = Math.min(inner, s0 + innerBlock);
      let row = 0;
      for (; row + 1 < rows; row += 2) {
        const upper = c0 + row * columns + from;
        const lower = upper + columns;
        const ar = a0 + row * rowStep;
        let s = s0;
        for (; s + 3 < end; s += 4) {
          const p = ar + s * innerStep;
          const u0 = a[p];
          const u1 = a[p + innerStep];
          const u2 = a[p + 2 * innerStep];
          const u3 = a[p + 3 * innerStep];
          const q = p + rowStep;
          const v0 = a[q];
          const v1 = a[q + innerStep];
          const v2 = a[q + 2 * innerStep];
          const v3 = a[q + 3 * innerStep];
          const r0 = b0 + s * columns + from;
          const r1 = r0 + columns;
          const r2 = r1 + columns;
          const r3 = r2 + columns;
          for (let j = 0; j < width; j++) {
            const w0 = b[r0 + j];
            const w1 = b[r1 + j];
            const w2 = b[r2 + j];
            const w3 = b[r3 + j];
            c[upper + j] += u0 * w0 + u1 * w1 + (u2 * w2 + u3 * w3);
            c[lower + j] += v0 * w0 + v1 * w1 + (v2 * w2 + v3 * w3);
          }
        }
        for (; s < end; s++) {
          const u = a[ar + s * innerStep];
          const v = a[ar + rowStep + s * innerStep];
          const r = b0 + s * columns + from;
          for (let j = 0; j < width; j++) {
            c[upper + j] += u * b[r + j];
            c[lower + j] += v * b[r + j];
          }
        }
      }
      if (row < rows) {
        const upper = c0 + row * columns + from;
        for (let s = s0; s < end; s++) {
          const u = a[a0 + row * rowStep + s * innerStep];
          const r = b0 + s * columns + from;
          for (let j = 0; j < width; j++) c[upper + j] += u * b[r + j];
        }
      }
    }
  }
};

/** The table divided, for each cell of `given`'s axes, by `given`'s value there; 0 where that is 0. */
export const dividedBy = (table: AxisTable, given: AxisTable): AxisTable => {
  const { axes, sizes, values } = arranged(table, [
    ...given.axes,
    ...table.axes.filter((axis) => !given.axes.includes(axis)),
  ]);
  const inner = product(sizes.slice(given.axes.length));
  const out = new Float64Array(values.length);
  for (let cell = 0, at = 0; cell < given.values.length; cell++) {
    const factor = given.values[cell] > 0 ? 1 / given.values[cell] : 0;
    // Where the quotient overflows, the probability is too small to matter.
    const safe = factor === Infinity ? 0 : factor;
    for (let i = 0; i < inner; i++, at++) out[at] = values[at] * safe;
  }
  return { axes, sizes, values: out };
};
