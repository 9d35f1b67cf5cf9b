// Rows of a table that are carried from one set of cells to another, each by the conditional probabilities of its cell.

/**
 * target[base[r] + rest[j]] += given[r][j] table[r], for rows of `columns` numbers: r below `rows`, j below `width`. One rounding for each product and
 * sum, in the order of r and j, as in the twin.
 */
export function carry(
  table: usize,
  columns: i32,
  given: usize,
  base: usize,
  rows: i32,
  rest: usize,
  width: i32,
  target: usize,
): void {
  const row = <usize>columns << 3;
  const pairs = row & ~15;
  const ends = rest + (<usize>width << 2);
  const last = base + (<usize>rows << 2);
  for (; base < last; base += 4) {
    const at = <usize>load<u32>(base);
    for (let next = rest; next < ends; next += 4) {
      const part = load<f64>(given);
      given += 8;
      if (part == 0) continue;
      const to = target + (at + <usize>load<u32>(next)) * row;
      const factor = f64x2.splat(part);
      let i: usize = 0;
      for (; i < pairs; i += 16)
        v128.store(to + i, f64x2.add(v128.load(to + i), f64x2.mul(factor, v128.load(table + i))));
      if (i < row) store<f64>(to + i, load<f64>(to + i) + part * load<f64>(table + i));
    }
    table += row;
  }
}
