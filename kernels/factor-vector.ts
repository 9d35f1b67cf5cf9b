// Element by element over the vectors of a graphical model. Sums run in blocks as in reduce.ts, with the same error.
import { expNormalPair } from './exp';
import { blockSum, lanes } from './reduce';

// @ts-ignore: decorator
@inline
/** exp x, and 0 for x below least: products of what remains do not become subnormal, which processors are slow at. */
function expFrom(x: v128, least: v128): v128 {
  return v128.andnot(expNormalPair(x), f64x2.lt(x, least));
}

class ShiftedExp {
  // @ts-ignore: decorator
  @inline
  block(x: usize, y: usize, target: usize, shift: v128, least: v128, stop: usize): f64 {
    const whole = x + ((stop - x) & ~31);
    let p = f64x2.splat(0);
    let q = p;
    for (; x < whole; x += 32) {
      const a = expFrom(f64x2.sub(v128.load(x), shift), least);
      v128.store(target, a);
      p = f64x2.add(p, a);
      const b = expFrom(f64x2.sub(v128.load(x, 16), shift), least);
      v128.store(target, b, 16);
      q = f64x2.add(q, b);
      target += 32;
    }
    let term = lanes(p, q, f64x2.splat(0), f64x2.splat(0));
    for (; x < stop; x += 8) {
      const a = f64x2.extract_lane(expFrom(f64x2.sub(v128.load64_splat(x), shift), least), 0);
      store<f64>(target, a);
      term += a;
      target += 8;
    }
    return term;
  }
}

/** target[i] = exp(x[i] - shift), and 0 where the difference is below `least`; their sum. The target may be x. */
export function expShift(x: usize, shift: f64, least: f64, target: usize, length: usize): f64 {
  return blockSum<ShiftedExp>(x, 0, target, f64x2.splat(shift), f64x2.splat(least), length);
}

/** target[i] = x[i] / y[i], and 0 where y[i] is 0; the largest of them. The target may be x or y. */
export function divide(x: usize, y: usize, target: usize, length: usize): f64 {
  const whole = x + ((length << 3) & ~15);
  const end = x + (length << 3);
  const zero = f64x2.splat(0);
  let most = f64x2.splat(-Infinity);
  for (; x < whole; x += 16) {
    const d = v128.load(y);
    const q = v128.and(f64x2.div(v128.load(x), d), f64x2.ne(d, zero));
    v128.store(target, q);
    most = f64x2.max(most, q);
    y += 16;
    target += 16;
  }
  let largest = Math.max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1));
  if (x < end) {
    const d = load<f64>(y);
    const q = d == 0 ? 0 : load<f64>(x) / d;
    store<f64>(target, q);
    largest = Math.max(largest, q);
  }
  return largest;
}

/** target[i] = x[i] - y[i], and minus infinity where y[i] is; the target may be x or y. */
export function subtractLogs(x: usize, y: usize, target: usize, length: usize): void {
  const end = x + (length << 3);
  for (; x < end; x += 8) {
    const d = load<f64>(y);
    store<f64>(target, d == -Infinity ? d : load<f64>(x) - d);
    y += 8;
    target += 8;
  }
}

class Residual {
  // @ts-ignore: decorator
  @inline
  block(x: usize, y: usize, target: usize, factor: v128, weight: v128, stop: usize): f64 {
    const whole = x + ((stop - x) & ~31);
    let p = f64x2.splat(0);
    let q = p;
    for (; x < whole; x += 32) {
      const a = f64x2.sub(f64x2.mul(factor, v128.load(x)), v128.load(y));
      const b = f64x2.sub(f64x2.mul(factor, v128.load(x, 16)), v128.load(y, 16));
      const c = f64x2.mul(weight, a);
      const d = f64x2.mul(weight, b);
      v128.store(target, c);
      v128.store(target, d, 16);
      p = f64x2.add(p, f64x2.mul(a, c));
      q = f64x2.add(q, f64x2.mul(b, d));
      y += 32;
      target += 32;
    }
    let term = lanes(p, q, f64x2.splat(0), f64x2.splat(0));
    for (; x < stop; x += 8) {
      const a = f64x2.extract_lane(factor, 0) * load<f64>(x) - load<f64>(y);
      const c = f64x2.extract_lane(weight, 0) * a;
      store<f64>(target, c);
      term += a * c;
      y += 8;
      target += 8;
    }
    return term;
  }
}

/** target[i] = weight * (factor * x[i] - y[i]); the sum of target[i] * (factor * x[i] - y[i]). */
export function fitSquares(x: usize, factor: f64, y: usize, weight: f64, target: usize, length: usize): f64 {
  return blockSum<Residual>(x, y, target, f64x2.splat(factor), f64x2.splat(weight), length);
}
