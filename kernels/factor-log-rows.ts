// One row of tables, the last axis of a shape, in log space; see factor.ts. These rows are rare and dominated by exp: they take the
// steps of the operands, 0 or 8, as they come.
import { expNormalPair } from './exp';
import { lanes } from './factor-rows';

/** Two neighbouring cells of an operand. */
// @ts-ignore: decorator
@inline
function pair(p: usize, step: usize): v128 {
  return step ? v128.load(p) : v128.load64_splat(p);
}

export function peakRow(a: usize, stepA: usize, b: usize, stepB: usize, s: usize, bytes: usize): void {
  const end = s + bytes;
  for (; s < end; s += 8) {
    store<f64>(s, Math.max(load<f64>(s), load<f64>(a) + load<f64>(b)));
    a += stepA;
    b += stepB;
  }
}

export function highestRow(a: usize, stepA: usize, b: usize, stepB: usize, bytes: usize): f64 {
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

export function expAddRow(a: usize, stepA: usize, b: usize, stepB: usize, s: usize, peaks: usize, bytes: usize): void {
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

export function expTotalRow(a: usize, stepA: usize, b: usize, stepB: usize, peak: f64, bytes: usize): f64 {
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
