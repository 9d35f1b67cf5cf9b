// exp over f64. With k = round(x / ln 2) and r = x - k ln 2, |r| <= 0.347, exp x = 2^k exp r, and exp r = 1 + r + r^2 q(r), where
// q interpolates (exp r - 1 - r) / r^2 at the ten Chebyshev points of that interval (relative error of exp r below 2e-17); it is
// evaluated in pairs (Estrin's scheme), so that few operations wait for one another. ln 2 is split so that k * HIGH is exact.
import { map } from './map';

const LOG2E: f64 = 1.4426950408889634;
const HIGH: f64 = 0.693147180369123816490; // the upper 33 bits of ln 2
const LOW: f64 = 1.90821492927058770002e-10; // ln 2 - HIGH
const ROUND: f64 = 6755399441055744.0; // 1.5 * 2^52: adding it leaves the nearest integer in the low bits

// @ts-ignore: decorator
@inline
function power(shifted: v128): v128 {
  return i64x2.shl(i64x2.add(shifted, i64x2.splat(1023)), 52);
}

/** a + b r. */
// @ts-ignore: decorator
@inline
function term(a: f64, b: f64, r: v128): v128 {
  return f64x2.add(f64x2.splat(a), f64x2.mul(f64x2.splat(b), r));
}

/** exp(x - k ln 2) for k = round(x / ln 2). */
// @ts-ignore: decorator
@inline
function reduced(x: v128, k: v128): v128 {
  const r = f64x2.sub(f64x2.sub(x, f64x2.mul(k, f64x2.splat(HIGH))), f64x2.mul(k, f64x2.splat(LOW)));
  const r2 = f64x2.mul(r, r);
  const r4 = f64x2.mul(r2, r2);
  const a = f64x2.add(term(0.5, 0.16666666666666669, r), f64x2.mul(r2, term(0.041666666666624136, 0.008333333333330063, r)));
  const b = f64x2.add(
    term(0.001388888891720967, 0.00019841269863050506, r),
    f64x2.mul(r2, term(2.4801521302241082e-5, 2.7557268464831627e-6, r)),
  );
  const c = f64x2.add(b, f64x2.mul(r4, term(2.7620085455018414e-7, 2.510038319586702e-8, r)));
  const q = f64x2.add(a, f64x2.mul(r4, c));
  return f64x2.add(f64x2.splat(1), f64x2.add(r, f64x2.mul(r2, q)));
}

/** exp x; the factor 2^k is applied in two halves, so that results beyond the normal range round once, to a subnormal, 0 or infinity. */
// @ts-ignore: decorator
@inline
export function expPair(v: v128): v128 {
  // Beyond these limits the result is 0 or infinity anyway; pmin and pmax pass a NaN in their first operand on.
  const x = f64x2.pmax(f64x2.pmin(v, f64x2.splat(710)), f64x2.splat(-746));
  const round = f64x2.splat(ROUND);
  const k = f64x2.sub(f64x2.add(f64x2.mul(x, f64x2.splat(LOG2E)), round), round);
  const y = reduced(x, k);
  const half = f64x2.add(f64x2.mul(k, f64x2.splat(0.5)), round);
  const other = f64x2.add(f64x2.sub(k, f64x2.sub(half, round)), round);
  return f64x2.mul(f64x2.mul(y, power(half)), power(other));
}

/** exp x for x below 709: 0 below -708, where results would be subnormal, and NaN where x is. */
// @ts-ignore: decorator
@inline
export function expNormalPair(v: v128): v128 {
  const least = f64x2.splat(-708);
  const x = f64x2.pmax(v, least);
  const round = f64x2.splat(ROUND);
  const shifted = f64x2.add(f64x2.mul(x, f64x2.splat(LOG2E)), round);
  const y = reduced(x, f64x2.sub(shifted, round));
  return v128.andnot(f64x2.mul(y, power(shifted)), f64x2.lt(v, least));
}

class Exp {
  // @ts-ignore: decorator
  @inline
  two(v: v128): v128 {
    return expPair(v);
  }
}

/** target[i] = exp(x[i]), relative error below 1e-15 (below half a unit of 2^-1074 when subnormal); the target may be x. */
export function exp(x: usize, target: usize, length: usize): void {
  map<Exp>(x, target, length);
}
