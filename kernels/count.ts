// Counting code columns. A job is a run of u32 words: columns k, cells, copies, table, then for each column its address,
// bytes per code and number of codes. The table holds `copies` histograms of u32 one after another; rows take turns among
// them, because a counter that was stored a moment ago cannot be loaded again for some cycles.
import { Block, fillIndex16, fillIndex32 } from './cell-index';

/** Words of a job before its columns, and of each column. */
const HEAD: usize = 16;
const COLUMN: usize = 12;

/** Adds rows from..to of `jobs` jobs to their tables, block by block so that columns and indices stay in the cache. */
export function count(job: usize, jobs: i32, from: usize, to: usize, scratch: usize): void {
  for (let row = from; row < to; row += Block) {
    const rows = min(Block, to - row);
    let at = job;
    for (let j = 0; j < jobs; j++) {
      const columns = load<u32>(at);
      const end = at + HEAD + COLUMN * <usize>columns;
      const cells = <usize>load<u32>(at, 4);
      const copies = load<u32>(at, 8);
      const table = <usize>load<u32>(at, 12);
      if (columns == 0) {
        store<u32>(table, load<u32>(table) + <u32>rows);
      } else if (cells <= 0x10000 && narrow(at + HEAD, end)) {
        fillIndex16(at + HEAD, end, row, rows, scratch);
        const b = copies > 1 ? table + (cells << 2) : table;
        const c = copies > 3 ? b + (cells << 2) : table;
        const d = copies > 3 ? c + (cells << 2) : b;
        scatter16(scratch, rows, table, b, c, d);
      } else {
        fillIndex32(at + HEAD, end, row, rows, scratch);
        scatter32(scratch, rows, table);
      }
      at = end;
    }
  }
}

/** The cell of rows from..to in the marginal of one job, as u32 from `target` on. */
export function cellIndex(job: usize, from: usize, to: usize, target: usize): void {
  const end = job + HEAD + COLUMN * <usize>load<u32>(job);
  fillIndex32(job + HEAD, end, from, to - from, target);
}

/** Sums the middle axis of a u32 table [outer][size][inner] away. The target may be the table itself. */
export function sumAxis(table: usize, target: usize, outer: usize, size: usize, inner: usize): void {
  if (inner == 1) return sumLast(table, target, outer, size);
  const row = inner << 2;
  const whole = row & ~15;
  for (let o: usize = 0; o < outer; o++) {
    let i: usize = 0;
    for (; i < whole; i += 16) {
      let p = table + i;
      let total = v128.load(p);
      for (let s: usize = 1; s < size; s++) {
        p += row;
        total = i32x4.add(total, v128.load(p));
      }
      v128.store(target + i, total);
    }
    for (; i < row; i += 4) {
      let p = table + i;
      let total = load<u32>(p);
      for (let s: usize = 1; s < size; s++) {
        p += row;
        total += load<u32>(p);
      }
      store<u32>(target + i, total);
    }
    table += row * size;
    target += row;
  }
}

function sumLast(table: usize, target: usize, outer: usize, size: usize): void {
  const bytes = size << 2;
  const whole = bytes & ~15;
  for (let o: usize = 0; o < outer; o++) {
    let lanes = i32x4.splat(0);
    let i: usize = 0;
    for (; i < whole; i += 16) lanes = i32x4.add(lanes, v128.load(table + i));
    let total: u32 = 0;
    if (whole) {
      total = i32x4.extract_lane(lanes, 0) + i32x4.extract_lane(lanes, 1);
      total += i32x4.extract_lane(lanes, 2) + i32x4.extract_lane(lanes, 3);
    }
    for (; i < bytes; i += 4) total += load<u32>(table + i);
    store<u32>(target, total);
    table += bytes;
    target += 4;
  }
}

/** True when every code column has one or two bytes a code. */
function narrow(column: usize, end: usize): bool {
  for (; column < end; column += COLUMN) if (load<u32>(column, 4) == 4) return false;
  return true;
}

// @ts-ignore: decorator
@inline
function bump(table: usize, cell: usize): void {
  const p = table + (cell << 2);
  store<u32>(p, load<u32>(p) + 1);
}

/** The rows take turns among four histograms, which may be the same one. */
function scatter16(index: usize, rows: usize, a: usize, b: usize, c: usize, d: usize): void {
  const end = index + (rows << 1);
  const whole = index + ((rows << 1) & ~15);
  for (; index < whole; index += 16) {
    bump(a, <usize>load<u16>(index));
    bump(b, <usize>load<u16>(index, 2));
    bump(c, <usize>load<u16>(index, 4));
    bump(d, <usize>load<u16>(index, 6));
    bump(a, <usize>load<u16>(index, 8));
    bump(b, <usize>load<u16>(index, 10));
    bump(c, <usize>load<u16>(index, 12));
    bump(d, <usize>load<u16>(index, 14));
  }
  for (; index < end; index += 2) bump(a, <usize>load<u16>(index));
}

function scatter32(index: usize, rows: usize, table: usize): void {
  const end = index + (rows << 2);
  const whole = index + ((rows << 2) & ~15);
  for (; index < whole; index += 16) {
    bump(table, <usize>load<u32>(index));
    bump(table, <usize>load<u32>(index, 4));
    bump(table, <usize>load<u32>(index, 8));
    bump(table, <usize>load<u32>(index, 12));
  }
  for (; index < end; index += 4) bump(table, <usize>load<u32>(index));
}
