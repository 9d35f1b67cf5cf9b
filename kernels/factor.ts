// Tables of several attributes that share axes. A shape is a run of u32 words: the number of axes (at least two), then for each
// axis, outermost first, its length and the steps in bytes of the two operands, of the target and of the sums; a step of 0
// repeats an operand or sums an axis away. Steps of the last axis are 0 or 8. The last two axes are walked in one call, the
// others by recursion. Where both operands step on the last axis they are loaded, where one does the other is spread.
import { expNormalPair } from './exp';

const AXIS: usize = 20;

// What is done with each pair of cells.
const MULTIPLY: i32 = 0;
const MULTIPLY_SUM: i32 = 1;
const SUM: i32 = 2;
const ADD: i32 = 3;
const PEAK: i32 = 4;
const EXP_SUM: i32 = 5;

/** target = a b. */
export function multiplyTables(shape: usize, a: usize, b: usize, target: usize): void {
  walk(MULTIPLY, shape + 4, last(shape), a, b, target, 0, 0);
}

/** target = a b, and sums += target. */
export function multiplySumTables(shape: usize, a: usize, b: usize, target: usize, sums: usize): void {
  walk(MULTIPLY_SUM, shape + 4, last(shape), a, b, target, sums, 0);
}

/** sums += a b. */
export function sumTables(shape: usize, a: usize, b: usize, sums: usize): void {
  walk(SUM, shape + 4, last(shape), a, b, 0, sums, 0);
}

/** target = a + b. */
export function addTables(shape: usize, a: usize, b: usize, target: usize): void {
  walk(ADD, shape + 4, last(shape), a, b, target, 0, 0);
}

/** peaks = max(peaks, a + b). */
export function peakTables(shape: usize, a: usize, b: usize, peaks: usize): void {
  walk(PEAK, shape + 4, last(shape), a, b, 0, peaks, 0);
}

/** sums += exp(a + b - peaks), where a peak of minus infinity counts as 0. */
export function expSumTables(shape: usize, a: usize, b: usize, peaks: usize, sums: usize): void {
  walk(EXP_SUM, shape + 4, last(shape), a, b, 0, sums, peaks - sums);
}

/** The second-last axis of a shape, from which `block` goes on. */
// @ts-ignore: decorator
@inline
function last(shape: usize): usize {
  return shape + 4 + AXIS * (<usize>load<u32>(shape) - 2);
}

function walk(op: i32, axis: usize, end: usize, a: usize, b: usize, t: usize, s: usize, peaks: usize): void {
  if (axis == end) return block(op, axis, a, b, t, s, peaks);
  const stepA = <usize>load<u32>(axis, 4);
  const stepB = <usize>load<u32>(axis, 8);
  const stepT = <usize>load<u32>(axis, 12);
  const stepS = <usize>load<u32>(axis, 16);
  for (let i = load<u32>(axis); i > 0; i--) {
    walk(op, axis + AXIS, end, a, b, t, s, peaks);
    a += stepA;
    b += stepB;
    t += stepT;
    s += stepS;
  }
}

/** The last two axes. */
function block(op: i32, axis: usize, a: usize, b: usize, t: usize, s: usize, peaks: usize): void {
  const rows = load<u32>(axis);
  const bytes = <usize>load<u32>(axis, 20) << 3;
  let stepA = <usize>load<u32>(axis, 4);
  let stepB = <usize>load<u32>(axis, 8);
  const stepT = <usize>load<u32>(axis, 12);
  const stepS = <usize>load<u32>(axis, 16);
  const keptS = load<u32>(axis, 36) != 0;
  // Both operations commute: the operand that steps comes first.
  let wideA = load<u32>(axis, 24) != 0;
  let wideB = load<u32>(axis, 28) != 0;
  if (wideB && !wideA) {
    const c = a;
    a = b;
    b = c;
    const step = stepA;
    stepA = stepB;
    stepB = step;
    wideA = true;
    wideB = false;
  }
  if (op == MULTIPLY) {
    for (let i: u32 = 0; i < rows; i++) {
      if (wideB) multiplyRow(a, b, t, bytes);
      else if (wideA) scaleRow(a, load<f64>(b), t, bytes);
      else fillRow(load<f64>(a) * load<f64>(b), t, bytes);
      a += stepA;
      b += stepB;
      t += stepT;
    }
  } else if (op == MULTIPLY_SUM) {
    for (let i: u32 = 0; i < rows; i++) {
      if (keptS) {
        if (wideB) multiplyAddRow(a, b, t, s, bytes);
        else if (wideA) scaleAddRow(a, load<f64>(b), t, s, bytes);
        else fillAddRow(load<f64>(a) * load<f64>(b), t, s, bytes);
      } else {
        let total: f64;
        if (wideB) total = multiplyTotalRow(a, b, t, bytes);
        else if (wideA) total = scaleTotalRow(a, load<f64>(b), t, bytes);
        else {
          const value = load<f64>(a) * load<f64>(b);
          fillRow(value, t, bytes);
          total = value * <f64>(bytes >> 3);
        }
        store<f64>(s, load<f64>(s) + total);
      }
      a += stepA;
      b += stepB;
      t += stepT;
      s += stepS;
    }
  } else if (op == SUM) {
    for (let i: u32 = 0; i < rows; i++) {
      if (keptS) {
        if (wideB) addProductRow(a, b, s, bytes);
        else if (wideA) addScaledRow(a, load<f64>(b), s, bytes);
        else addValueRow(load<f64>(a) * load<f64>(b), s, bytes);
      } else {
        let total: f64;
        if (wideB) total = dotRow(a, b, bytes);
        else if (wideA) total = totalRow(a, bytes) * load<f64>(b);
        else total = load<f64>(a) * load<f64>(b) * <f64>(bytes >> 3);
        store<f64>(s, load<f64>(s) + total);
      }
      a += stepA;
      b += stepB;
      s += stepS;
    }
  } else if (op == ADD) {
    for (let i: u32 = 0; i < rows; i++) {
      if (wideB) addRow(a, b, t, bytes);
      else if (wideA) shiftRow(a, load<f64>(b), t, bytes);
      else fillRow(load<f64>(a) + load<f64>(b), t, bytes);
      a += stepA;
      b += stepB;
      t += stepT;
    }
  } else if (op == PEAK) {
    for (let i: u32 = 0; i < rows; i++) {
      if (keptS) peakRow(a, wideA ? 8 : 0, b, wideB ? 8 : 0, s, bytes);
      else store<f64>(s, Math.max(load<f64>(s), highestRow(a, wideA ? 8 : 0, b, wideB ? 8 : 0, bytes)));
      a += stepA;
      b += stepB;
      s += stepS;
    }
  } else {
    for (let i: u32 = 0; i < rows; i++) {
      if (keptS) expAddRow(a, wideA ? 8 : 0, b, wideB ? 8 : 0, s, peaks, bytes);
      else store<f64>(s, load<f64>(s) + expTotalRow(a, wideA ? 8 : 0, b, wideB ? 8 : 0, load<f64>(s + peaks), bytes));
      a += stepA;
      b += stepB;
      s += stepS;
    }
  }
}

// @ts-ignore: decorator
@inline
function multiplyRow(a: usize, b: usize, t: usize, bytes: usize): void {
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
function scaleRow(a: usize, value: f64, t: usize, bytes: usize): void {
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
function fillRow(value: f64, t: usize, bytes: usize): void {
  const whole = t + (bytes & ~15);
  const end = t + bytes;
  const v = f64x2.splat(value);
  for (; t < whole; t += 16) v128.store(t, v);
  if (t < end) store<f64>(t, value);
}

// @ts-ignore: decorator
@inline
function multiplyAddRow(a: usize, b: usize, t: usize, s: usize, bytes: usize): void {
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
function scaleAddRow(a: usize, value: f64, t: usize, s: usize, bytes: usize): void {
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
function fillAddRow(value: f64, t: usize, s: usize, bytes: usize): void {
  fillRow(value, t, bytes);
  addValueRow(value, s, bytes);
}

// @ts-ignore: decorator
@inline
function lanes(v: v128): f64 {
  return f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1);
}

// @ts-ignore: decorator
@inline
function multiplyTotalRow(a: usize, b: usize, t: usize, bytes: usize): f64 {
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
function scaleTotalRow(a: usize, value: f64, t: usize, bytes: usize): f64 {
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
function addProductRow(a: usize, b: usize, s: usize, bytes: usize): void {
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
function addScaledRow(a: usize, value: f64, s: usize, bytes: usize): void {
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
function addValueRow(value: f64, s: usize, bytes: usize): void {
  const end = s + bytes;
  for (; s < end; s += 8) store<f64>(s, load<f64>(s) + value);
}

// @ts-ignore: decorator
@inline
function dotRow(a: usize, b: usize, bytes: usize): f64 {
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
function totalRow(a: usize, bytes: usize): f64 {
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
function addRow(a: usize, b: usize, t: usize, bytes: usize): void {
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
function shiftRow(a: usize, value: f64, t: usize, bytes: usize): void {
  const whole = a + (bytes & ~15);
  const end = a + bytes;
  const v = f64x2.splat(value);
  for (; a < whole; a += 16) {
    v128.store(t, f64x2.add(v128.load(a), v));
    t += 16;
  }
  if (a < end) store<f64>(t, load<f64>(a) + value);
}

// The log-space rows are rare and dominated by exp: they take the steps of the operands as they come.

/** Two neighbouring cells of an operand. */
// @ts-ignore: decorator
@inline
function pair(p: usize, step: usize): v128 {
  return step ? v128.load(p) : v128.load64_splat(p);
}

function peakRow(a: usize, stepA: usize, b: usize, stepB: usize, s: usize, bytes: usize): void {
  const end = s + bytes;
  for (; s < end; s += 8) {
    store<f64>(s, Math.max(load<f64>(s), load<f64>(a) + load<f64>(b)));
    a += stepA;
    b += stepB;
  }
}

function highestRow(a: usize, stepA: usize, b: usize, stepB: usize, bytes: usize): f64 {
  let highest = f64x2.splat(-Infinity);
  let left = bytes;
  for (; left >= 16; left -= 16) {
    highest = f64x2.max(highest, f64x2.add(pair(a, stepA), pair(b, stepB)));
    a += stepA << 1;
    b += stepB << 1;
  }
  const most = Math.max(f64x2.extract_lane(highest, 0), f64x2.extract_lane(highest, 1));
  return left ? Math.max(most, load<f64>(a) + load<f64>(b)) : most;
}

// @ts-ignore: decorator
@inline
function finite(peak: v128): v128 {
  return v128.andnot(peak, f64x2.eq(peak, f64x2.splat(-Infinity)));
}

function expAddRow(a: usize, stepA: usize, b: usize, stepB: usize, s: usize, peaks: usize, bytes: usize): void {
  const end = s + bytes;
  const whole = s + (bytes & ~15);
  for (; s < whole; s += 16) {
    const x = f64x2.sub(f64x2.add(pair(a, stepA), pair(b, stepB)), finite(v128.load(s + peaks)));
    v128.store(s, f64x2.add(v128.load(s), expNormalPair(x)));
    a += stepA << 1;
    b += stepB << 1;
  }
  if (s < end) {
    const x = f64x2.sub(f64x2.splat(load<f64>(a) + load<f64>(b)), finite(v128.load64_splat(s + peaks)));
    store<f64>(s, load<f64>(s) + f64x2.extract_lane(expNormalPair(x), 0));
  }
}

function expTotalRow(a: usize, stepA: usize, b: usize, stepB: usize, peak: f64, bytes: usize): f64 {
  const shift = finite(f64x2.splat(peak));
  let total = f64x2.splat(0);
  let left = bytes;
  for (; left >= 16; left -= 16) {
    total = f64x2.add(total, expNormalPair(f64x2.sub(f64x2.add(pair(a, stepA), pair(b, stepB)), shift)));
    a += stepA << 1;
    b += stepB << 1;
  }
  if (!left) return lanes(total);
  const x = f64x2.sub(f64x2.splat(load<f64>(a) + load<f64>(b)), shift);
  return lanes(total) + f64x2.extract_lane(expNormalPair(x), 0);
}
