// log over f64. x = 2^k m with m in [sqrt(1/2), sqrt 2); with f = m - 1 and s = f / (2 + f), log m = 2 atanh s. Since
// 2 s = f - s f, and s f = h - s h with h = f^2 / 2, log m = f - h + s (h + R), where R = 2 (s^2/3 + s^4/5 + ...), here
// up to s^20 (truncation below 1e-17 relative): the largest term f is exact and the rounding errors stay in the small ones.
import { map } from './map';

const HIGH: f64 = 0.693147180369123816490; // the upper 33 bits of ln 2: k * HIGH is exact
const LOW: f64 = 1.90821492927058770002e-10; // ln 2 - HIGH
const ROOT: i64 = 0x3fe6a09e00000000; // the double next to sqrt(1/2) with a zero lower half
const ONE: i64 = 0x3ff0000000000000;
const SMALLEST: f64 = 2.2250738585072014e-308; // the smallest normal number

// @ts-ignore: decorator
@inline
function horner(q: v128, z: v128, coefficient: f64): v128 {
  return f64x2.add(f64x2.mul(q, z), f64x2.splat(coefficient));
}

// @ts-ignore: decorator
@inline
function logPair(v: v128): v128 {
  const small = f64x2.lt(v, f64x2.splat(SMALLEST));
  const x = v128.bitselect(f64x2.mul(v, f64x2.splat(18014398509481984.0)), v, small); // times 2^54
  const shifted = i64x2.add(x, i64x2.splat(ONE - ROOT));
  const raw = f64x2.sub(
    v128.or(i64x2.shr_u(shifted, 52), i64x2.splat(0x4330000000000000)),
    f64x2.splat(4503599627370496.0 + 1023.0),
  );
  const k = f64x2.sub(raw, v128.and(small, f64x2.splat(54)));
  const m = i64x2.add(v128.and(shifted, i64x2.splat(0x000fffffffffffff)), i64x2.splat(ROOT));
  const f = f64x2.sub(m, f64x2.splat(1));
  const s = f64x2.div(f, f64x2.add(f64x2.splat(2), f));
  const z = f64x2.mul(s, s);
  let q = f64x2.splat(2.0 / 21.0);
  q = horner(q, z, 2.0 / 19.0);
  q = horner(q, z, 2.0 / 17.0);
  q = horner(q, z, 2.0 / 15.0);
  q = horner(q, z, 2.0 / 13.0);
  q = horner(q, z, 2.0 / 11.0);
  q = horner(q, z, 2.0 / 9.0);
  q = horner(q, z, 2.0 / 7.0);
  q = horner(q, z, 2.0 / 5.0);
  q = horner(q, z, 2.0 / 3.0);
  const h = f64x2.mul(f64x2.splat(0.5), f64x2.mul(f, f));
  const low = f64x2.add(f64x2.mul(s, f64x2.add(h, f64x2.mul(z, q))), f64x2.mul(k, f64x2.splat(LOW)));
  const y = f64x2.sub(f64x2.mul(k, f64x2.splat(HIGH)), f64x2.sub(f64x2.sub(h, low), f));
  // Zero, negative numbers, infinity and NaN have no exponent to take apart.
  const zero = f64x2.eq(v, f64x2.splat(0));
  const negative = f64x2.lt(v, f64x2.splat(0));
  const finite = f64x2.lt(v, f64x2.splat(Infinity)); // false for NaN too, whose own bits then pass through
  const inside = v128.bitselect(y, v, finite);
  return v128.bitselect(
    f64x2.splat(-Infinity),
    v128.bitselect(f64x2.splat(NaN), inside, negative),
    zero,
  );
}

class Log {
  // @ts-ignore: decorator
  @inline
  two(v: v128): v128 {
    return logPair(v);
  }
}

/** target[i] = log(x[i]), relative error below 1e-15 for subnormals too; the target may be x. */
export function log(x: usize, target: usize, length: usize): void {
  map<Log>(x, target, length);
}
