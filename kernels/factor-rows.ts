// One row of tables, the last axis of a shape, in linear space or of sums of logarithms; see factor.ts. `bytes` is the row's length. The
// first operand steps; the second is given by address where it steps (`Cells`), by value where it does not (`Spread`).
import { Product, Value } from './reduce';

export class Cells {
  /** The place after two cells. */
  // @ts-ignore: decorator
  @inline
  after(b: usize): usize {
    return b + 16;
  }
  // @ts-ignore: decorator
  @inline
  two(b: usize, value: v128): v128 {
    return v128.load(b);
  }
  // @ts-ignore: decorator
  @inline
  one(b: usize, value: f64): f64 {
    return load<f64>(b);
  }
}

export class Spread {
  // @ts-ignore: decorator
  @inline
  after(b: usize): usize {
    return b;
  }
  // @ts-ignore: decorator
  @inline
  two(b: usize, value: v128): v128 {
    return value;
  }
  // @ts-ignore: decorator
  @inline
  one(b: usize, value: f64): f64 {
    return value;
  }
}

// @ts-ignore: decorator
@inline
export function multiplyRow<Second>(a: usize, b: usize, value: f64, t: usize, bytes: usize): void {
  const second = changetype<Second>(0);
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  const v = f64x2.splat(value);
  for (; a < whole; a += 16) {
    v128.store(t, f64x2.mul(v128.load(a), second.two(b, v)));
    b = second.after(b);
    t += 16;
  }
  if (a < end) store<f64>(t, load<f64>(a) * second.one(b, value));
}

// @ts-ignore: decorator
@inline
export function addRow<Second>(a: usize, b: usize, value: f64, t: usize, bytes: usize): void {
  const second = changetype<Second>(0);
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  const v = f64x2.splat(value);
  for (; a < whole; a += 16) {
    v128.store(t, f64x2.add(v128.load(a), second.two(b, v)));
    b = second.after(b);
    t += 16;
  }
  if (a < end) store<f64>(t, load<f64>(a) + second.one(b, value));
}

// @ts-ignore: decorator
@inline
export function fillRow(value: f64, t: usize, bytes: usize): void {
  const whole = t + (bytes & ~15);
  const end = t + bytes;
  const v = f64x2.splat(value);
  for (; t < whole; t += 16) v128.store(t, v);
  if (t < end) store<f64>(t, value);
}

// @ts-ignore: decorator
@inline
export function multiplyAddRow<Second>(a: usize, b: usize, value: f64, t: usize, s: usize, bytes: usize): void {
  const second = changetype<Second>(0);
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  const v = f64x2.splat(value);
  for (; a < whole; a += 16) {
    const product = f64x2.mul(v128.load(a), second.two(b, v));
    v128.store(t, product);
    v128.store(s, f64x2.add(v128.load(s), product));
    b = second.after(b);
    t += 16;
    s += 16;
  }
  if (a < end) {
    const product = load<f64>(a) * second.one(b, value);
    store<f64>(t, product);
    store<f64>(s, load<f64>(s) + product);
  }
}

// @ts-ignore: decorator
@inline
export function fillAddRow(value: f64, t: usize, s: usize, bytes: usize): void {
  fillRow(value, t, bytes);
  addValueRow(value, s, bytes);
}

// @ts-ignore: decorator
@inline
export function lanes(v: v128): f64 {
  return f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1);
}

// @ts-ignore: decorator
@inline
export function multiplyTotalRow<Second>(a: usize, b: usize, value: f64, t: usize, bytes: usize): f64 {
  const second = changetype<Second>(0);
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  const v = f64x2.splat(value);
  let total = f64x2.splat(0);
  for (; a < whole; a += 16) {
    const product = f64x2.mul(v128.load(a), second.two(b, v));
    v128.store(t, product);
    total = f64x2.add(total, product);
    b = second.after(b);
    t += 16;
  }
  if (a == end) return lanes(total);
  const product = load<f64>(a) * second.one(b, value);
  store<f64>(t, product);
  return lanes(total) + product;
}

// @ts-ignore: decorator
@inline
export function addProductRow<Second>(a: usize, b: usize, value: f64, s: usize, bytes: usize): void {
  const second = changetype<Second>(0);
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  const v = f64x2.splat(value);
  for (; a < whole; a += 16) {
    v128.store(s, f64x2.add(v128.load(s), f64x2.mul(v128.load(a), second.two(b, v))));
    b = second.after(b);
    s += 16;
  }
  if (a < end) store<f64>(s, load<f64>(s) + load<f64>(a) * second.one(b, value));
}

// @ts-ignore: decorator
@inline
export function addValueRow(value: f64, s: usize, bytes: usize): void {
  const end = s + bytes;
  for (; s < end; s += 8) store<f64>(s, load<f64>(s) + value);
}

/** Sum over the row of what `Term` gives for two cells, or one. */
// @ts-ignore: decorator
@inline
function sumRow<Term>(a: usize, b: usize, bytes: usize): f64 {
  const term = changetype<Term>(0);
  const four = a + (bytes & ~31);
  const end = a + bytes;
  let p = f64x2.splat(0);
  let q = p;
  for (; a < four; a += 32) {
    p = f64x2.add(p, term.two(a, b));
    q = f64x2.add(q, term.two(a + 16, b + 16));
    b += 32;
  }
  let total = lanes(f64x2.add(p, q));
  for (; a < end; a += 8) {
    total += term.one(a, b);
    b += 8;
  }
  return total;
}

// @ts-ignore: decorator
@inline
export function dotRow(a: usize, b: usize, bytes: usize): f64 {
  return sumRow<Product>(a, b, bytes);
}

// @ts-ignore: decorator
@inline
export function totalRow(a: usize, bytes: usize): f64 {
  return sumRow<Value>(a, 0, bytes);
}
