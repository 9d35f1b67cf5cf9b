// Element-wise f64 operations; one rounding for each operation, so results equal the twin's bit for bit.

/** x[i] *= factor. */
export function scale(x: usize, factor: f64, length: usize): void {
  const whole = x + ((length << 3) & ~31);
  const end = x + (length << 3);
  const f = f64x2.splat(factor);
  for (; x < whole; x += 32) {
    v128.store(x, f64x2.mul(v128.load(x), f));
    v128.store(x, f64x2.mul(v128.load(x, 16), f), 16);
  }
  for (; x < end; x += 8) store<f64>(x, load<f64>(x) * factor);
}

/** x[i] *= factor, and 0 where that is below `least`. */
export function scaleAbove(x: usize, factor: f64, least: f64, length: usize): void {
  const whole = x + ((length << 3) & ~15);
  const end = x + (length << 3);
  const f = f64x2.splat(factor);
  const l = f64x2.splat(least);
  for (; x < whole; x += 16) {
    const scaled = f64x2.mul(v128.load(x), f);
    v128.store(x, v128.andnot(scaled, f64x2.lt(scaled, l)));
  }
  if (x < end) {
    const scaled = load<f64>(x) * factor;
    store<f64>(x, scaled < least ? 0 : scaled);
  }
}

/** y[i] += factor * x[i]. */
export function axpy(factor: f64, x: usize, y: usize, length: usize): void {
  const whole = x + ((length << 3) & ~31);
  const end = x + (length << 3);
  const f = f64x2.splat(factor);
  for (; x < whole; x += 32) {
    v128.store(y, f64x2.add(v128.load(y), f64x2.mul(v128.load(x), f)));
    v128.store(y, f64x2.add(v128.load(y, 16), f64x2.mul(v128.load(x, 16), f)), 16);
    y += 32;
  }
  for (; x < end; x += 8) {
    store<f64>(y, load<f64>(y) + factor * load<f64>(x));
    y += 8;
  }
}

/** target[i] = x[i] * y[i]; the target may be x or y. */
export function multiply(x: usize, y: usize, target: usize, length: usize): void {
  const whole = x + ((length << 3) & ~31);
  const end = x + (length << 3);
  for (; x < whole; x += 32) {
    const a = f64x2.mul(v128.load(x), v128.load(y));
    const b = f64x2.mul(v128.load(x, 16), v128.load(y, 16));
    v128.store(target, a);
    v128.store(target, b, 16);
    y += 32;
    target += 32;
  }
  for (; x < end; x += 8) {
    store<f64>(target, load<f64>(x) * load<f64>(y));
    y += 8;
    target += 8;
  }
}
