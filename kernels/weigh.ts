// Weighted support: a distribution over rows seen through the cells of one marginal (u32 indices, f64 values). The order
// of additions is the order of rows, so results equal the twin's bit for bit.

/** table[index[i]] += weight[i]. */
export function scatterAdd(index: usize, weights: usize, table: usize, rows: usize): void {
  const whole = index + ((rows << 2) & ~15);
  const end = index + (rows << 2);
  for (; index < whole; index += 16) {
    add(table, load<u32>(index), load<f64>(weights));
    add(table, load<u32>(index, 4), load<f64>(weights, 8));
    add(table, load<u32>(index, 8), load<f64>(weights, 16));
    add(table, load<u32>(index, 12), load<f64>(weights, 24));
    weights += 32;
  }
  for (; index < end; index += 4) {
    add(table, load<u32>(index), load<f64>(weights));
    weights += 8;
  }
}

// @ts-ignore: decorator
@inline
function add(table: usize, cell: u32, weight: f64): void {
  const p = table + (<usize>cell << 3);
  store<f64>(p, load<f64>(p) + weight);
}

/** weight[i] *= ratio[index[i]]. */
export function gatherScale(index: usize, ratio: usize, weights: usize, rows: usize): void {
  const whole = index + ((rows << 2) & ~15);
  const end = index + (rows << 2);
  for (; index < whole; index += 16) {
    const a = pair(ratio, load<u32>(index), load<u32>(index, 4));
    const b = pair(ratio, load<u32>(index, 8), load<u32>(index, 12));
    v128.store(weights, f64x2.mul(v128.load(weights), a));
    v128.store(weights, f64x2.mul(v128.load(weights, 16), b), 16);
    weights += 32;
  }
  for (; index < end; index += 4) {
    store<f64>(weights, load<f64>(weights) * load<f64>(ratio + (<usize>load<u32>(index) << 3)));
    weights += 8;
  }
}

/** target[i] += factor * table[index[i]]. */
export function gatherAdd(index: usize, table: usize, factor: f64, target: usize, rows: usize): void {
  const whole = index + ((rows << 2) & ~15);
  const end = index + (rows << 2);
  const factors = f64x2.splat(factor);
  for (; index < whole; index += 16) {
    const a = f64x2.mul(factors, pair(table, load<u32>(index), load<u32>(index, 4)));
    const b = f64x2.mul(factors, pair(table, load<u32>(index, 8), load<u32>(index, 12)));
    v128.store(target, f64x2.add(v128.load(target), a));
    v128.store(target, f64x2.add(v128.load(target, 16), b), 16);
    target += 32;
  }
  for (; index < end; index += 4) {
    store<f64>(target, load<f64>(target) + factor * load<f64>(table + (<usize>load<u32>(index) << 3)));
    target += 8;
  }
}

// @ts-ignore: decorator
@inline
function pair(table: usize, a: u32, b: u32): v128 {
  return v128.load64_lane(table + (<usize>b << 3), v128.load64_zero(table + (<usize>a << 3)), 1);
}

/** Sum of x[index[i]]. */
export function sumAt(index: usize, x: usize, length: usize): f64 {
  // Four sums at a time: an addition need not wait for the one before.
  let a: f64 = 0;
  let b: f64 = 0;
  let c: f64 = 0;
  let d: f64 = 0;
  const whole = index + ((length << 2) & ~15);
  const end = index + (length << 2);
  for (; index < whole; index += 16) {
    a += load<f64>(x + (<usize>load<u32>(index) << 3));
    b += load<f64>(x + (<usize>load<u32>(index, 4) << 3));
    c += load<f64>(x + (<usize>load<u32>(index, 8) << 3));
    d += load<f64>(x + (<usize>load<u32>(index, 12) << 3));
  }
  for (; index < end; index += 4) a += load<f64>(x + (<usize>load<u32>(index) << 3));
  return a + b + (c + d);
}

/** x[index[i]] *= factor. */
export function scaleAt(index: usize, factor: f64, x: usize, length: usize): void {
  for (const end = index + (length << 2); index < end; index += 4) {
    const p = x + (<usize>load<u32>(index) << 3);
    store<f64>(p, load<f64>(p) * factor);
  }
}
