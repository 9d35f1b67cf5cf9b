// One row of tables, the last axis of a shape, in linear space or of sums of logarithms; see factor.ts. `bytes` is the row's length. Operands
// that step are given by address, others by value.

// @ts-ignore: decorator
@inline
export function multiplyRow(a: usize, b: usize, t: usize, bytes: usize): void {
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  for (; a < whole; a += 16) {
    v128.store(t, f64x2.mul(v128.load(a), v128.load(b)));
    b += 16;
    t += 16;
  }
  if (a < end) store<f64>(t, load<f64>(a) * load<f64>(b));
}

// @ts-ignore: decorator
@inline
export function scaleRow(a: usize, value: f64, t: usize, bytes: usize): void {
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  const v = f64x2.splat(value);
  for (; a < whole; a += 16) {
    v128.store(t, f64x2.mul(v128.load(a), v));
    t += 16;
  }
  if (a < end) store<f64>(t, load<f64>(a) * value);
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
export function multiplyAddRow(a: usize, b: usize, t: usize, s: usize, bytes: usize): void {
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  for (; a < whole; a += 16) {
    const v = f64x2.mul(v128.load(a), v128.load(b));
    v128.store(t, v);
    v128.store(s, f64x2.add(v128.load(s), v));
    b += 16;
    t += 16;
    s += 16;
  }
  if (a < end) {
    const v = load<f64>(a) * load<f64>(b);
    store<f64>(t, v);
    store<f64>(s, load<f64>(s) + v);
  }
}

// @ts-ignore: decorator
@inline
export function scaleAddRow(a: usize, value: f64, t: usize, s: usize, bytes: usize): void {
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  const factor = f64x2.splat(value);
  for (; a < whole; a += 16) {
    const v = f64x2.mul(v128.load(a), factor);
    v128.store(t, v);
    v128.store(s, f64x2.add(v128.load(s), v));
    t += 16;
    s += 16;
  }
  if (a < end) {
    const v = load<f64>(a) * value;
    store<f64>(t, v);
    store<f64>(s, load<f64>(s) + v);
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
export function multiplyTotalRow(a: usize, b: usize, t: usize, bytes: usize): f64 {
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  let total = f64x2.splat(0);
  for (; a < whole; a += 16) {
    const v = f64x2.mul(v128.load(a), v128.load(b));
    v128.store(t, v);
    total = f64x2.add(total, v);
    b += 16;
    t += 16;
  }
  if (a == end) return lanes(total);
  const v = load<f64>(a) * load<f64>(b);
  store<f64>(t, v);
  return lanes(total) + v;
}

// @ts-ignore: decorator
@inline
export function scaleTotalRow(a: usize, value: f64, t: usize, bytes: usize): f64 {
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  const factor = f64x2.splat(value);
  let total = f64x2.splat(0);
  for (; a < whole; a += 16) {
    const v = f64x2.mul(v128.load(a), factor);
    v128.store(t, v);
    total = f64x2.add(total, v);
    t += 16;
  }
  if (a == end) return lanes(total);
  const v = load<f64>(a) * value;
  store<f64>(t, v);
  return lanes(total) + v;
}

// @ts-ignore: decorator
@inline
export function addProductRow(a: usize, b: usize, s: usize, bytes: usize): void {
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  for (; a < whole; a += 16) {
    v128.store(s, f64x2.add(v128.load(s), f64x2.mul(v128.load(a), v128.load(b))));
    b += 16;
    s += 16;
  }
  if (a < end) store<f64>(s, load<f64>(s) + load<f64>(a) * load<f64>(b));
}

// @ts-ignore: decorator
@inline
export function addScaledRow(a: usize, value: f64, s: usize, bytes: usize): void {
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  const v = f64x2.splat(value);
  for (; a < whole; a += 16) {
    v128.store(s, f64x2.add(v128.load(s), f64x2.mul(v128.load(a), v)));
    s += 16;
  }
  if (a < end) store<f64>(s, load<f64>(s) + load<f64>(a) * value);
}

// @ts-ignore: decorator
@inline
export function addValueRow(value: f64, s: usize, bytes: usize): void {
  const end = s + bytes;
  for (; s < end; s += 8) store<f64>(s, load<f64>(s) + value);
}

// @ts-ignore: decorator
@inline
export function dotRow(a: usize, b: usize, bytes: usize): f64 {
  const four = a + (bytes & ~31);
  const end = a + bytes;
  let p = f64x2.splat(0);
  let q = p;
  for (; a < four; a += 32) {
    p = f64x2.add(p, f64x2.mul(v128.load(a), v128.load(b)));
    q = f64x2.add(q, f64x2.mul(v128.load(a, 16), v128.load(b, 16)));
    b += 32;
  }
  let total = lanes(f64x2.add(p, q));
  for (; a < end; a += 8) {
    total += load<f64>(a) * load<f64>(b);
    b += 8;
  }
  return total;
}

// @ts-ignore: decorator
@inline
export function totalRow(a: usize, bytes: usize): f64 {
  const four = a + (bytes & ~31);
  const end = a + bytes;
  let p = f64x2.splat(0);
  let q = p;
  for (; a < four; a += 32) {
    p = f64x2.add(p, v128.load(a));
    q = f64x2.add(q, v128.load(a, 16));
  }
  let total = lanes(f64x2.add(p, q));
  for (; a < end; a += 8) total += load<f64>(a);
  return total;
}

// @ts-ignore: decorator
@inline
export function addRow(a: usize, b: usize, t: usize, bytes: usize): void {
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  for (; a < whole; a += 16) {
    v128.store(t, f64x2.add(v128.load(a), v128.load(b)));
    b += 16;
    t += 16;
  }
  if (a < end) store<f64>(t, load<f64>(a) + load<f64>(b));
}

// @ts-ignore: decorator
@inline
export function shiftRow(a: usize, value: f64, t: usize, bytes: usize): void {
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  const v = f64x2.splat(value);
  for (; a < whole; a += 16) {
    v128.store(t, f64x2.add(v128.load(a), v));
    t += 16;
  }
  if (a < end) store<f64>(t, load<f64>(a) + value);
}
