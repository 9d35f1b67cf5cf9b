// exp over f64. With k = round(x / ln 2) and r = x - k ln 2, |r| <= 0.347, exp x = 2^k exp r, and exp r is its Taylor
// polynomial of degree 13 (truncation below 5e-18). ln 2 is split so that k * HIGH is exact. The factor 2^k is applied in
// two halves, so that results beyond the normal range round once, to a subnormal, to 0 or to infinity.
const LOG2E: f64 = 1.4426950408889634;
const HIGH: f64 = 0.693147180369123816490; // the upper 33 bits of ln 2
const LOW: f64 = 1.90821492927058770002e-10; // ln 2 - HIGH
const ROUND: f64 = 6755399441055744.0; // 1.5 * 2^52: adding it leaves the nearest integer in the low bits

// @ts-ignore: decorator
@inline
function power(shifted: v128): v128 {
  return i64x2.shl(i64x2.add(shifted, i64x2.splat(1023)), 52);
}

// @ts-ignore: decorator
@inline
function horner(q: v128, r: v128, coefficient: f64): v128 {
  return f64x2.add(f64x2.mul(q, r), f64x2.splat(coefficient));
}

// @ts-ignore: decorator
@inline
export function expPair(v: v128): v128 {
  // Beyond these limits the result is 0 or infinity anyway; pmin and pmax pass a NaN in their first operand on.
  const x = f64x2.pmax(f64x2.pmin(v, f64x2.splat(710)), f64x2.splat(-746));
  const round = f64x2.splat(ROUND);
  const k = f64x2.sub(f64x2.add(f64x2.mul(x, f64x2.splat(LOG2E)), round), round);
  const r = f64x2.sub(f64x2.sub(x, f64x2.mul(k, f64x2.splat(HIGH))), f64x2.mul(k, f64x2.splat(LOW)));
  let q = f64x2.splat(1.0 / 6227020800.0);
  q = horner(q, r, 1.0 / 479001600.0);
  q = horner(q, r, 1.0 / 39916800.0);
  q = horner(q, r, 1.0 / 3628800.0);
  q = horner(q, r, 1.0 / 362880.0);
  q = horner(q, r, 1.0 / 40320.0);
  q = horner(q, r, 1.0 / 5040.0);
  q = horner(q, r, 1.0 / 720.0);
  q = horner(q, r, 1.0 / 120.0);
  q = horner(q, r, 1.0 / 24.0);
  q = horner(q, r, 1.0 / 6.0);
  q = horner(q, r, 0.5);
  const y = f64x2.add(f64x2.splat(1), f64x2.add(r, f64x2.mul(f64x2.mul(r, r), q)));
  const half = f64x2.add(f64x2.mul(k, f64x2.splat(0.5)), round);
  const other = f64x2.add(f64x2.sub(k, f64x2.sub(half, round)), round);
  return f64x2.mul(f64x2.mul(y, power(half)), power(other));
}

/** target[i] = exp(x[i]), relative error below 1e-15 (below half a unit of 2^-1074 when subnormal); the target may be x. */
export function exp(x: usize, target: usize, length: usize): void {
  const whole = x + ((length << 3) & ~63);
  const end = x + (length << 3);
  for (; x < whole; x += 64) {
    const a = expPair(v128.load(x));
    const b = expPair(v128.load(x, 16));
    const c = expPair(v128.load(x, 32));
    const d = expPair(v128.load(x, 48));
    v128.store(target, a);
    v128.store(target, b, 16);
    v128.store(target, c, 32);
    v128.store(target, d, 48);
    target += 64;
  }
  for (; x < end; x += 8) {
    store<f64>(target, f64x2.extract_lane(expPair(v128.load64_splat(x)), 0));
    target += 8;
  }
}
