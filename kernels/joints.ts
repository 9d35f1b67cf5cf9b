// Rows with weights, seen through joint tables of several attributes out of which the cells of many marginals are summed. A joint is a run of u32
// words, see src/kernel/joint.ts: its bytes, columns, steps, cells, bytes of all its tables, and where it is itself a marginal the byte offset of its
// cells; then for each column its address, bytes per code and number of codes; then for each step the byte offset of the table summed, 1 where the
// sums are a marginal, their byte offset, and outer, size and inner of the axis that is summed away.
import { Block, fillIndex16, fillIndex32 } from './cell-index';
import { clear } from './clear';

const HEAD: usize = 24;
const COLUMN: usize = 12;
const STEP: usize = 24;
const NONE: u32 = 0xffffffff;
/** Indices of a block, before the tables. */
const INDICES: usize = Block << 2;

/** Overwrites the cells of all marginals, f64 at `sums`, with the sums of the weights of `rows` rows from the row `from` on; `weights` are those of these rows. */
export function scatterJoints(
  joint: usize,
  joints: i32,
  from: usize,
  rows: usize,
  weights: usize,
  sums: usize,
  scratch: usize,
): void {
  const tables = scratch + INDICES;
  for (let j = 0; j < joints; j++) {
    const cells = <usize>load<u32>(joint, 12);
    const own = load<u32>(joint, 20);
    const table = own == NONE ? tables : sums + <usize>own;
    const first = joint + HEAD;
    const end = first + COLUMN * <usize>load<u32>(joint, 4);
    clear(table, cells << 3);
    const narrow = isNarrow(first, end, cells);
    for (let row: usize = 0; row < rows; row += Block) {
      const some = min(Block, rows - row);
      if (narrow) {
        fillIndex16(first, end, from + row, some, scratch);
        scatter<u16>(scratch, some, weights + (row << 3), table);
      } else {
        fillIndex32(first, end, from + row, some, scratch);
        scatter<u32>(scratch, some, weights + (row << 3), table);
      }
    }
    const last = end + STEP * <usize>load<u32>(joint, 8);
    for (let step = end; step < last; step += STEP)
      sumAway(
        tables + <usize>load<u32>(step),
        (load<u32>(step, 4) ? sums : tables) + <usize>load<u32>(step, 8),
        <usize>load<u32>(step, 12),
        <usize>load<u32>(step, 16),
        <usize>load<u32>(step, 20),
      );
    joint += <usize>load<u32>(joint);
  }
}

/** target[row] += the sum over all marginals of `values`, f64, at the cell of each of `rows` rows from the row `from` on: the transpose. */
export function gatherJoints(
  joint: usize,
  joints: i32,
  from: usize,
  rows: usize,
  values: usize,
  target: usize,
  scratch: usize,
): void {
  const tables = scratch + INDICES;
  for (let j = 0; j < joints; j++) {
    const cells = <usize>load<u32>(joint, 12);
    const own = load<u32>(joint, 20);
    const table = own == NONE ? tables : values + <usize>own;
    const first = joint + HEAD;
    const end = first + COLUMN * <usize>load<u32>(joint, 4);
    if (own == NONE) {
      clear(tables, <usize>load<u32>(joint, 16));
      for (let step = end + STEP * <usize>load<u32>(joint, 8) - STEP; step >= end; step -= STEP)
        spread(
          (load<u32>(step, 4) ? values : tables) + <usize>load<u32>(step, 8),
          tables + <usize>load<u32>(step),
          <usize>load<u32>(step, 12),
          <usize>load<u32>(step, 16),
          <usize>load<u32>(step, 20),
        );
    }
    const narrow = isNarrow(first, end, cells);
    for (let row: usize = 0; row < rows; row += Block) {
      const some = min(Block, rows - row);
      if (narrow) {
        fillIndex16(first, end, from + row, some, scratch);
        gather<u16>(scratch, some, table, target + (row << 3));
      } else {
        fillIndex32(first, end, from + row, some, scratch);
        gather<u32>(scratch, some, table, target + (row << 3));
      }
    }
    joint += <usize>load<u32>(joint);
  }
}

/** True where indices of two bytes do. */
function isNarrow(column: usize, end: usize, cells: usize): bool {
  if (cells > 0x10000) return false;
  for (; column < end; column += COLUMN) if (load<u32>(column, 4) == 4) return false;
  return true;
}

// @ts-ignore: decorator
@inline
function scatter<Cell>(index: usize, rows: usize, weights: usize, table: usize): void {
  const whole = index + (rows & ~3) * sizeof<Cell>();
  const end = index + rows * sizeof<Cell>();
  for (; index < whole; index += 4 * sizeof<Cell>()) {
    add(table, <usize>load<Cell>(index), load<f64>(weights));
    add(table, <usize>load<Cell>(index, sizeof<Cell>()), load<f64>(weights, 8));
    add(table, <usize>load<Cell>(index, 2 * sizeof<Cell>()), load<f64>(weights, 16));
    add(table, <usize>load<Cell>(index, 3 * sizeof<Cell>()), load<f64>(weights, 24));
    weights += 32;
  }
  for (; index < end; index += sizeof<Cell>()) {
    add(table, <usize>load<Cell>(index), load<f64>(weights));
    weights += 8;
  }
}

// @ts-ignore: decorator
@inline
function add(table: usize, cell: usize, weight: f64): void {
  const p = table + (cell << 3);
  store<f64>(p, load<f64>(p) + weight);
}

// @ts-ignore: decorator
@inline
function gather<Cell>(index: usize, rows: usize, table: usize, target: usize): void {
  const whole = index + (rows & ~3) * sizeof<Cell>();
  const end = index + rows * sizeof<Cell>();
  for (; index < whole; index += 4 * sizeof<Cell>()) {
    const a = pair(table, <usize>load<Cell>(index), <usize>load<Cell>(index, sizeof<Cell>()));
    const b = pair(table, <usize>load<Cell>(index, 2 * sizeof<Cell>()), <usize>load<Cell>(index, 3 * sizeof<Cell>()));
    v128.store(target, f64x2.add(v128.load(target), a));
    v128.store(target, f64x2.add(v128.load(target, 16), b), 16);
    target += 32;
  }
  for (; index < end; index += sizeof<Cell>()) {
    store<f64>(target, load<f64>(target) + load<f64>(table + (<usize>load<Cell>(index) << 3)));
    target += 8;
  }
}

// @ts-ignore: decorator
@inline
function pair(table: usize, a: usize, b: usize): v128 {
  return v128.load64_lane(table + (b << 3), v128.load64_zero(table + (a << 3)), 1);
}

/** target[outer][inner] = the sum over the middle axis of table[outer][size][inner], in its order. */
function sumAway(table: usize, target: usize, outer: usize, size: usize, inner: usize): void {
  const row = inner << 3;
  const whole = row & ~15;
  const block = row * size;
  for (const end = table + outer * block; table < end; table += block) {
    let i: usize = 0;
    for (; i < whole; i += 16) {
      let p = table + i;
      let total = v128.load(p);
      for (const last = table + block; (p += row) < last; ) total = f64x2.add(total, v128.load(p));
      v128.store(target + i, total);
    }
    if (i < row) {
      let p = table + i;
      let total = load<f64>(p);
      for (const last = table + block; (p += row) < last; ) total += load<f64>(p);
      store<f64>(target + i, total);
    }
    target += row;
  }
}

/** table[outer][size][inner] += source[outer][inner]. */
function spread(source: usize, table: usize, outer: usize, size: usize, inner: usize): void {
  if (inner == 1) return spreadLast(source, table, outer, size);
  const row = inner << 3;
  const whole = row & ~15;
  for (let o: usize = 0; o < outer; o++) {
    for (let s: usize = 0; s < size; s++) {
      let i: usize = 0;
      for (; i < whole; i += 16) v128.store(table + i, f64x2.add(v128.load(table + i), v128.load(source + i)));
      if (i < row) store<f64>(table + i, load<f64>(table + i) + load<f64>(source + i));
      table += row;
    }
    source += row;
  }
}

function spreadLast(source: usize, table: usize, outer: usize, size: usize): void {
  const row = size << 3;
  const whole = row & ~15;
  for (let o: usize = 0; o < outer; o++) {
    const value = load<f64>(source);
    const two = f64x2.splat(value);
    let i: usize = 0;
    for (; i < whole; i += 16) v128.store(table + i, f64x2.add(v128.load(table + i), two));
    if (i < row) store<f64>(table + i, load<f64>(table + i) + value);
    table += row;
    source += 8;
  }
}
