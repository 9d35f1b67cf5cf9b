// exp over f32, for arguments from 0 downwards: with k = round(x / ln 2) and r = x - k ln 2, exp x = 2^k exp r, and exp r is its Taylor
// polynomial of degree 7 (relative error below 6e-9 for |r| <= 0.347). ln 2 is split so that k * HIGH is exact.

const LOG2E: f32 = 1.44269504;
const HIGH: f32 = 0.693359375;
const LOW: f32 = -2.12194440e-4;
/** Below it results would be subnormal, and are 0. */
const LEAST: f32 = -87;

// @ts-ignore: decorator
@inline
function next(sum: v128, r: v128, coefficient: f32): v128 {
  return f32x4.add(f32x4.mul(sum, r), f32x4.splat(coefficient));
}

/** exp x for x from 0 downwards, 0 below -87; relative error below 3e-7. */
// @ts-ignore: decorator
@inline
export function expDown(v: v128): v128 {
  const least = f32x4.splat(LEAST);
  const x = f32x4.max(v, least);
  const k = f32x4.nearest(f32x4.mul(x, f32x4.splat(LOG2E)));
  const r = f32x4.sub(f32x4.sub(x, f32x4.mul(k, f32x4.splat(HIGH))), f32x4.mul(k, f32x4.splat(LOW)));
  let sum = f32x4.splat(1.98412698e-4);
  sum = next(sum, r, 1.38888889e-3);
  sum = next(sum, r, 8.33333333e-3);
  sum = next(sum, r, 4.16666667e-2);
  sum = next(sum, r, 1.66666667e-1);
  sum = next(sum, r, 0.5);
  sum = next(sum, r, 1);
  sum = next(sum, r, 1);
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(k), i32x4.splat(127)), 23);
  return v128.andnot(f32x4.mul(sum, power), f32x4.lt(v, least));
}
