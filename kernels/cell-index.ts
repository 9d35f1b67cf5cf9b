// The cell of each row in a marginal: a mixed-radix number of its codes, the last column fastest (Horner's rule).
// A column is three u32 words: address, bytes per code (1, 2 or 4), number of codes.
const COLUMN: usize = 12;

/** Rows a turn: their u16 indices (8 KiB) and the columns' part stay in the first-level cache. */
export const Block: usize = 4096;

/** u16 indices, for at most 65,536 cells and columns of one or two bytes. */
export function fillIndex16(first: usize, end: usize, row: usize, rows: usize, target: usize): void {
  const whole = row + (rows & ~31);
  const last = row + rows;
  for (; row < whole; row += 32) {
    let a = i16x8.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (let column = first; column < end; column += COLUMN) {
      const radix = v128.load16_splat(column, 8);
      const codes = <usize>load<u32>(column);
      a = i16x8.mul(a, radix);
      b = i16x8.mul(b, radix);
      c = i16x8.mul(c, radix);
      d = i16x8.mul(d, radix);
      if (load<u32>(column, 4) == 1) {
        const low = v128.load(codes + row);
        const high = v128.load(codes + row, 16);
        a = i16x8.add(a, i16x8.extend_low_i8x16_u(low));
        b = i16x8.add(b, i16x8.extend_high_i8x16_u(low));
        c = i16x8.add(c, i16x8.extend_low_i8x16_u(high));
        d = i16x8.add(d, i16x8.extend_high_i8x16_u(high));
      } else {
        const at = codes + (row << 1);
        a = i16x8.add(a, v128.load(at));
        b = i16x8.add(b, v128.load(at, 16));
        c = i16x8.add(c, v128.load(at, 32));
        d = i16x8.add(d, v128.load(at, 48));
      }
    }
    v128.store(target, a);
    v128.store(target, b, 16);
    v128.store(target, c, 32);
    v128.store(target, d, 48);
    target += 64;
  }
  for (; row < last; row++) {
    store<u16>(target, <u16>cellOf(first, end, row));
    target += 2;
  }
}

/** u32 indices, for any columns. */
export function fillIndex32(first: usize, end: usize, row: usize, rows: usize, target: usize): void {
  const whole = row + (rows & ~15);
  const last = row + rows;
  for (; row < whole; row += 16) {
    let a = i32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (let column = first; column < end; column += COLUMN) {
      const radix = v128.load32_splat(column, 8);
      const codes = <usize>load<u32>(column);
      const bytes = load<u32>(column, 4);
      a = i32x4.mul(a, radix);
      b = i32x4.mul(b, radix);
      c = i32x4.mul(c, radix);
      d = i32x4.mul(d, radix);
      if (bytes == 1) {
        const at = v128.load(codes + row);
        const low = i16x8.extend_low_i8x16_u(at);
        const high = i16x8.extend_high_i8x16_u(at);
        a = i32x4.add(a, i32x4.extend_low_i16x8_u(low));
        b = i32x4.add(b, i32x4.extend_high_i16x8_u(low));
        c = i32x4.add(c, i32x4.extend_low_i16x8_u(high));
        d = i32x4.add(d, i32x4.extend_high_i16x8_u(high));
      } else if (bytes == 2) {
        const low = v128.load(codes + (row << 1));
        const high = v128.load(codes + (row << 1), 16);
        a = i32x4.add(a, i32x4.extend_low_i16x8_u(low));
        b = i32x4.add(b, i32x4.extend_high_i16x8_u(low));
        c = i32x4.add(c, i32x4.extend_low_i16x8_u(high));
        d = i32x4.add(d, i32x4.extend_high_i16x8_u(high));
      } else {
        const at = codes + (row << 2);
        a = i32x4.add(a, v128.load(at));
        b = i32x4.add(b, v128.load(at, 16));
        c = i32x4.add(c, v128.load(at, 32));
        d = i32x4.add(d, v128.load(at, 48));
      }
    }
    v128.store(target, a);
    v128.store(target, b, 16);
    v128.store(target, c, 32);
    v128.store(target, d, 48);
    target += 64;
  }
  for (; row < last; row++) {
    store<u32>(target, cellOf(first, end, row));
    target += 4;
  }
}

function cellOf(column: usize, end: usize, row: usize): u32 {
  let cell: u32 = 0;
  for (; column < end; column += COLUMN) {
    const codes = <usize>load<u32>(column);
    const bytes = load<u32>(column, 4);
    const code =
      bytes == 1 ? <u32>load<u8>(codes + row) : bytes == 2 ? <u32>load<u16>(codes + (row << 1)) : load<u32>(codes + (row << 2));
    cell = cell * load<u32>(column, 8) + code;
  }
  return cell;
}
