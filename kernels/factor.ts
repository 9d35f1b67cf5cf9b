// Tables of several attributes that share axes. A shape is a run of u32 words: the number of axes (at least two), then for each
// axis, outermost first, its length and the steps in bytes of the two operands, of the target and of the sums; a step of 0
// repeats an operand or sums an axis away. Steps of the last axis are 0 or 8. The last two axes are walked in one call, the
// others by recursion. Where both operands step on the last axis they are loaded, where one does the other is spread.
import { expAddRow, expTotalRow, highestRow, peakRow } from './factor-log-rows';
import {
  addProductRow,
  addRow,
  addValueRow,
  Cells,
  dotRow,
  fillAddRow,
  fillRow,
  multiplyAddRow,
  multiplyRow,
  multiplyTotalRow,
  Spread,
  totalRow,
} from './factor-rows';

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
      if (wideB) multiplyRow<Cells>(a, b, 0, t, bytes);
      else if (wideA) multiplyRow<Spread>(a, b, load<f64>(b), t, bytes);
      else fillRow(load<f64>(a) * load<f64>(b), t, bytes);
      a += stepA;
      b += stepB;
      t += stepT;
    }
  } else if (op == MULTIPLY_SUM) {
    for (let i: u32 = 0; i < rows; i++) {
      if (keptS) {
        if (wideB) multiplyAddRow<Cells>(a, b, 0, t, s, bytes);
        else if (wideA) multiplyAddRow<Spread>(a, b, load<f64>(b), t, s, bytes);
        else fillAddRow(load<f64>(a) * load<f64>(b), t, s, bytes);
      } else {
        let total: f64;
        if (wideB) total = multiplyTotalRow<Cells>(a, b, 0, t, bytes);
        else if (wideA) total = multiplyTotalRow<Spread>(a, b, load<f64>(b), t, bytes);
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
        if (wideB) addProductRow<Cells>(a, b, 0, s, bytes);
        else if (wideA) addProductRow<Spread>(a, b, load<f64>(b), s, bytes);
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
      if (wideB) addRow<Cells>(a, b, 0, t, bytes);
      else if (wideA) addRow<Spread>(a, b, load<f64>(b), t, bytes);
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
