// Matrix products of f32 with any strides, so that one kernel serves all orientations. Both factors are packed: strips of 4 rows and of
// 8 columns, depth first, so that the innermost loop reads memory in order. A tile of 4 x 8 sums is held in 8 registers. The order of
// additions is fixed: by depth within a block of 256, block after block.
import { madd } from './madd';

// @ts-ignore: decorator
@inline
const DEPTH: usize = 256;
// @ts-ignore: decorator
@inline
const ROWS: usize = 64;
// @ts-ignore: decorator
@inline
const COLUMNS: usize = 512;
/** Bytes of the packed block of the second factor, after which that of the first lies, and a tile. */
// @ts-ignore: decorator
@inline
const PACKED_B: usize = DEPTH * COLUMNS * 4;
// @ts-ignore: decorator
@inline
const PACKED_A: usize = DEPTH * ROWS * 4;

/** Four vectors of depth, one a lane, into four of lanes. */
// @ts-ignore: decorator
@inline
function transpose(x: usize, lane: usize, target: usize, step: usize): void {
  const a = v128.load(x);
  const b = v128.load(x + lane);
  const c = v128.load(x + 2 * lane);
  const d = v128.load(x + 3 * lane);
  const p = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const q = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const r = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const s = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(target, v128.shuffle<f32>(p, r, 0, 1, 4, 5));
  v128.store(target + step, v128.shuffle<f32>(p, r, 2, 3, 6, 7));
  v128.store(target + 2 * step, v128.shuffle<f32>(q, s, 0, 1, 4, 5));
  v128.store(target + 3 * step, v128.shuffle<f32>(q, s, 2, 3, 6, 7));
}

/** All bits of the first `lanes` of four lanes. */
// @ts-ignore: decorator
@inline
function first(lanes: usize): v128 {
  return i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(<i32>lanes));
}

/** Packs `lanes` (4 at most; zeros beyond) lines of `depth` elements: target[d][l] = x[d][l]. All strides in bytes. */
function pack(x: usize, lane: usize, deep: usize, lanes: usize, depth: usize, target: usize, step: usize): void {
  let d: usize = 0;
  if (lanes >= 4 && lane == 4) {
    for (; d < depth; d++) {
      v128.store(target, v128.load(x));
      x += deep;
      target += step;
    }
    return;
  }
  if (lane == 4 && lanes > 0 && deep > 0) {
    // What is read beyond the lanes is masked; three steps before the end it is not beyond the last element.
    const mask = first(lanes);
    for (; d + 3 < depth; d++) {
      v128.store(target, v128.and(v128.load(x), mask));
      x += deep;
      target += step;
    }
  } else if (lanes >= 4 && deep == 4) {
    for (; d + 4 <= depth; d += 4) {
      transpose(x, lane, target, step);
      x += 16;
      target += 4 * step;
    }
  }
  for (; d < depth; d++) {
    let from = x;
    for (let l: usize = 0; l < 4; l++) {
      store<f32>(target + (l << 2), l < lanes ? load<f32>(from) : 0);
      from += lane;
    }
    x += deep;
    target += step;
  }
}

/** The sums of a tile over a depth of at least 1, stored at c with rows `row` bytes apart, or added to what is there. */
// @ts-ignore: decorator
@inline
function tile(a: usize, b: usize, depth: usize, c: usize, row: usize, add: bool): void {
  const zero = f32x4.splat(0);
  let c00 = zero;
  let c01 = zero;
  let c10 = zero;
  let c11 = zero;
  let c20 = zero;
  let c21 = zero;
  let c30 = zero;
  let c31 = zero;
  const end = a + (depth << 4);
  // One step of depth a turn, not several: engines are free to move all loads of a turn to its front, and the registers hold those of one step.
  do {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let s = v128.load32_splat(a);
    c00 = madd(s, b0, c00);
    c01 = madd(s, b1, c01);
    s = v128.load32_splat(a, 4);
    c10 = madd(s, b0, c10);
    c11 = madd(s, b1, c11);
    s = v128.load32_splat(a, 8);
    c20 = madd(s, b0, c20);
    c21 = madd(s, b1, c21);
    s = v128.load32_splat(a, 12);
    c30 = madd(s, b0, c30);
    c31 = madd(s, b1, c31);
    a += 16;
    b += 32;
  } while (a < end);
  if (add) {
    c00 = f32x4.add(v128.load(c), c00);
    c01 = f32x4.add(v128.load(c, 16), c01);
    c10 = f32x4.add(v128.load(c + row), c10);
    c11 = f32x4.add(v128.load(c + row, 16), c11);
    c20 = f32x4.add(v128.load(c + 2 * row), c20);
    c21 = f32x4.add(v128.load(c + 2 * row, 16), c21);
    c30 = f32x4.add(v128.load(c + 3 * row), c30);
    c31 = f32x4.add(v128.load(c + 3 * row, 16), c31);
  }
  v128.store(c, c00);
  v128.store(c, c01, 16);
  v128.store(c + row, c10);
  v128.store(c + row, c11, 16);
  v128.store(c + 2 * row, c20);
  v128.store(c + 2 * row, c21, 16);
  v128.store(c + 3 * row, c30);
  v128.store(c + 3 * row, c31, 16);
}

/** A tile of which only `m` x `n` sums are wanted: made aside, then stored or added one by one. */
function edge(a: usize, b: usize, depth: usize, c: usize, row: usize, add: bool, m: usize, n: usize, aside: usize): void {
  tile(a, b, depth, aside, 32, false);
  for (let i: usize = 0; i < m; i++) {
    for (let j: usize = 0; j < n; j++) {
      const sum = load<f32>(aside + (j << 2));
      store<f32>(c + (j << 2), add ? load<f32>(c + (j << 2)) + sum : sum);
    }
    aside += 32;
    c += row;
  }
}

/** All tiles of a packed block: m x n sums over `depth`. */
function tiles(packedA: usize, packedB: usize, depth: usize, c: usize, row: usize, m: usize, n: usize, add: bool, aside: usize): void {
  for (let j: usize = 0; j < n; j += 8) {
    const b = packedB + ((j * depth) << 2);
    for (let i: usize = 0; i < m; i += 4) {
      const a = packedA + ((i * depth) << 2);
      const to = c + i * row + (j << 2);
      if (i + 4 <= m && j + 8 <= n) tile(a, b, depth, to, row, add);
      else edge(a, b, depth, to, row, add, min(4, m - i), min(8, n - j), aside);
    }
  }
}

/** c[i][j] = sum over d of a[i][d] * b[d][j], or c += it: m x n, `k` deep; strides of rows and columns in elements. */
export function gemm(
  a: usize, aRow: usize, aColumn: usize,
  b: usize, bRow: usize, bColumn: usize,
  c: usize, cRow: usize,
  m: usize, n: usize, k: usize, add: bool, scratch: usize,
): void {
  const packedB = scratch;
  const packedA = scratch + PACKED_B;
  const aside = packedA + PACKED_A;
  const row = cRow << 2;
  for (let from: usize = 0; from < n; from += COLUMNS) {
    const columns = min(COLUMNS, n - from);
    for (let deep: usize = 0; deep < k; deep += DEPTH) {
      const depth = min(DEPTH, k - deep);
      for (let j: usize = 0; j < columns; j += 8) {
        const x = b + ((deep * bRow + (from + j) * bColumn) << 2);
        const target = packedB + ((j * depth) << 2);
        const lanes = columns - j;
        pack(x, bColumn << 2, bRow << 2, lanes, depth, target, 32);
        pack(x + (bColumn << 4), bColumn << 2, bRow << 2, lanes > 4 ? lanes - 4 : 0, depth, target + 16, 32);
      }
      for (let top: usize = 0; top < m; top += ROWS) {
        const rows = min(ROWS, m - top);
        for (let i: usize = 0; i < rows; i += 4) {
          const x = a + (((top + i) * aRow + deep * aColumn) << 2);
          pack(x, aRow << 2, aColumn << 2, rows - i, depth, packedA + ((i * depth) << 2), 16);
        }
        tiles(packedA, packedB, depth, c + top * row + (from << 2), row, rows, columns, add || deep > 0, aside);
      }
    }
  }
}
