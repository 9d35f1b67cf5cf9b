// Counting households: rows are persons, those of a household follow one another, and a household counts once in each cell that one of its
// persons falls into. Jobs are those of `count`, with one histogram each.
import { Block, fillIndex32 } from './cell-index';

/** Words of a job before its columns, and of each column. */
const HEAD: usize = 16;
const COLUMN: usize = 12;

/**
 * Adds the households of rows from..to of `jobs` jobs to their tables. `places` has a byte for each row: how many persons of its household
 * come before it. A household that began before `from` is looked back at, so that rows may be split anywhere.
 */
export function countHoldings(job: usize, jobs: i32, from: usize, to: usize, places: usize, scratch: usize): void {
  for (let row = from; row < to; row += Block) {
    const rows = min(Block, to - row);
    const back = <usize>load<u8>(places + row);
    let at = job;
    for (let j = 0; j < jobs; j++) {
      const end = at + HEAD + COLUMN * <usize>load<u32>(at);
      fillIndex32(at + HEAD, end, row - back, rows + back, scratch);
      scatterFirst(scratch + (back << 2), places + row, rows, <usize>load<u32>(at, 12));
      at = end;
    }
  }
}

/**
 * Counts each row whose cell no earlier person of its household has. Four rows at a time, and all four look one person further back as long as
 * one of them has such a person: no branch depends on a row.
 */
function scatterFirst(index: usize, places: usize, rows: usize, table: usize): void {
  const whole = index + ((rows & ~3) << 2);
  for (; index < whole; index += 16) {
    const cells = v128.load(index);
    const place = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(places)));
    let seen = i32x4.splat(0);
    let further = i32x4.splat(1);
    let before = index - 4;
    let has = i32x4.ge_s(place, further);
    while (v128.any_true(has)) {
      seen = v128.or(seen, v128.and(has, i32x4.eq(cells, v128.load(before))));
      before -= 4;
      further = i32x4.add(further, i32x4.splat(1));
      has = i32x4.ge_s(place, further);
    }
    // A row that is seen is -1.
    add(table, i32x4.extract_lane(cells, 0), 1 + i32x4.extract_lane(seen, 0));
    add(table, i32x4.extract_lane(cells, 1), 1 + i32x4.extract_lane(seen, 1));
    add(table, i32x4.extract_lane(cells, 2), 1 + i32x4.extract_lane(seen, 2));
    add(table, i32x4.extract_lane(cells, 3), 1 + i32x4.extract_lane(seen, 3));
    places += 4;
  }
  for (let left = rows & 3; left > 0; left--) {
    const cell = load<u32>(index);
    let first: i32 = 1;
    for (let k = <usize>load<u8>(places); k > 0; k--) if (load<u32>(index - (k << 2)) == cell) first = 0;
    add(table, cell, first);
    index += 4;
    places++;
  }
}

// @ts-ignore: decorator
@inline
function add(table: usize, cell: u32, times: u32): void {
  const p = table + (<usize>cell << 2);
  store<u32>(p, load<u32>(p) + times);
}
