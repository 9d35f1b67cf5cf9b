// The cell of each row in a marginal: a mixed-radix number of its codes, the last column fastest (Horner's rule).
// A column is three u32 words: address, bytes per code (1, 2 or 4), number of codes.
const COLUMN: usize = 12;

/** Rows a turn: their u16 indices (8 KiB) and the columns' part stay in the first-level cache. */
export const Block: usize = 4096;

/** u16 indices, for at most 65,536 cells and columns of one or two bytes. */
export function fillIndex16(first: usize, end: usize, row: usize, rows: usize, target: usize): void {
  fillIndex<u16, u8>(first, end, row, rows, target);
}

/** u32 indices, for any columns. */
export function fillIndex32(first: usize, end: usize, row: usize, rows: usize, target: usize): void {
  fillIndex<u32, u16>(first, end, row, rows, target);
}

/** Indices of the type `Cell`, 64 bytes of them at a time; `Half` is the type half as wide. */
// @ts-ignore: decorator
@inline
function fillIndex<Cell, Half>(first: usize, end: usize, row: usize, rows: usize, target: usize): void {
  const turn: usize = 64 / sizeof<Cell>();
  const whole = row + (rows & ~(turn - 1));
  const last = row + rows;
  for (; row < whole; row += turn) {
    let a = i32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (let column = first; column < end; column += COLUMN) {
      const radix = sizeof<Cell>() == 2 ? v128.load16_splat(column, 8) : v128.load32_splat(column, 8);
      const codes = <usize>load<u32>(column);
      const bytes = load<u32>(column, 4);
      a = v128.mul<Cell>(a, radix);
      b = v128.mul<Cell>(b, radix);
      c = v128.mul<Cell>(c, radix);
      d = v128.mul<Cell>(d, radix);
      if (bytes == sizeof<Cell>()) {
        const at = codes + row * sizeof<Cell>();
        a = v128.add<Cell>(a, v128.load(at));
        b = v128.add<Cell>(b, v128.load(at, 16));
        c = v128.add<Cell>(c, v128.load(at, 32));
        d = v128.add<Cell>(d, v128.load(at, 48));
      } else {
        let low: v128;
        let high: v128;
        if (sizeof<Cell>() == 2 || bytes == 2) {
          const at = codes + row * sizeof<Half>();
          low = v128.load(at);
          high = v128.load(at, 16);
        } else {
          const at = v128.load(codes + row);
          low = v128.extend_low<u8>(at);
          high = v128.extend_high<u8>(at);
        }
        a = v128.add<Cell>(a, v128.extend_low<Half>(low));
        b = v128.add<Cell>(b, v128.extend_high<Half>(low));
        c = v128.add<Cell>(c, v128.extend_low<Half>(high));
        d = v128.add<Cell>(d, v128.extend_high<Half>(high));
      }
    }
    v128.store(target, a);
    v128.store(target, b, 16);
    v128.store(target, c, 32);
    v128.store(target, d, 48);
    target += 64;
  }
  for (; row < last; row++) {
    store<Cell>(target, <Cell>cellOf(first, end, row));
    target += sizeof<Cell>();
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
