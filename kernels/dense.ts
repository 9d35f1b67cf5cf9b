// What a dense layer needs beside matrix products, f32: rows lie `stride` elements apart. One rounding for each operation and sums in the
// order of rows, so results equal the twin's bit for bit.

/** x[r][i] = max(x[r][i] + bias[i], least). */
export function biasMax(x: usize, stride: usize, bias: usize, least: f32, rows: usize, columns: usize): void {
  const floor = f32x4.splat(least);
  const whole = (columns & ~3) << 2;
  const end = columns << 2;
  for (; rows > 0; rows--) {
    let i: usize = 0;
    for (; i < whole; i += 16)
      v128.store(x + i, f32x4.pmax(f32x4.add(v128.load(x + i), v128.load(bias + i)), floor));
    for (; i < end; i += 4) {
      const y = load<f32>(x + i) + load<f32>(bias + i);
      store<f32>(x + i, y < least ? least : y);
    }
    x += stride << 2;
  }
}

/** gradient[r][i] = 0 where value[r][i] is not above 0. */
export function maskBelow(gradient: usize, stride: usize, value: usize, valueStride: usize, rows: usize, columns: usize): void {
  const zero = f32x4.splat(0);
  const whole = (columns & ~3) << 2;
  const end = columns << 2;
  for (; rows > 0; rows--) {
    let i: usize = 0;
    for (; i < whole; i += 16)
      v128.store(gradient + i, v128.and(v128.load(gradient + i), f32x4.gt(v128.load(value + i), zero)));
    for (; i < end; i += 4) if (!(load<f32>(value + i) > 0)) store<f32>(gradient + i, 0);
    gradient += stride << 2;
    value += valueStride << 2;
  }
}

/** target[i] = x[0][i] + x[1][i] + ..., row after row from 0. */
export function sumRows(x: usize, stride: usize, rows: usize, columns: usize, target: usize): void {
  memory.fill(target, 0, columns << 2);
  const whole = (columns & ~3) << 2;
  const end = columns << 2;
  for (; rows > 0; rows--) {
    let i: usize = 0;
    for (; i < whole; i += 16) v128.store(target + i, f32x4.add(v128.load(target + i), v128.load(x + i)));
    for (; i < end; i += 4) store<f32>(target + i, load<f32>(target + i) + load<f32>(x + i));
    x += stride << 2;
  }
}

/**
 * A step of Adam (Kingma and Ba 2015) by the sum of `parts` gradients that lie `stride` elements apart: m += (1 - b1) (g - m),
 * v += (1 - b2) (g^2 - v), x -= rate m / (scale sqrt(v) + least). The caller works the corrections for the start into rate and scale.
 */
export function adam(
  x: usize, gradient: usize, stride: usize, parts: usize, first: usize, second: usize,
  rate: f32, scale: f32, beta1: f32, beta2: f32, least: f32, length: usize,
): void {
  const whole = (length & ~3) << 2;
  const end = length << 2;
  const keep1 = f32x4.splat(1 - beta1);
  const keep2 = f32x4.splat(1 - beta2);
  for (let i: usize = 0; i < whole; i += 16) {
    let g = v128.load(gradient + i);
    for (let p: usize = 1, at = gradient + i; p < parts; p++) {
      at += stride << 2;
      g = f32x4.add(g, v128.load(at));
    }
    const m = f32x4.add(v128.load(first + i), f32x4.mul(keep1, f32x4.sub(g, v128.load(first + i))));
    const v = f32x4.add(v128.load(second + i), f32x4.mul(keep2, f32x4.sub(f32x4.mul(g, g), v128.load(second + i))));
    v128.store(first + i, m);
    v128.store(second + i, v);
    const below = f32x4.add(f32x4.mul(f32x4.splat(scale), f32x4.sqrt(v)), f32x4.splat(least));
    v128.store(x + i, f32x4.sub(v128.load(x + i), f32x4.div(f32x4.mul(f32x4.splat(rate), m), below)));
  }
  for (let i: usize = whole; i < end; i += 4) {
    let g = load<f32>(gradient + i);
    for (let p: usize = 1, at = gradient + i; p < parts; p++) {
      at += stride << 2;
      g += load<f32>(at);
    }
    const m = load<f32>(first + i) + (1 - beta1) * (g - load<f32>(first + i));
    const v = load<f32>(second + i) + (1 - beta2) * (g * g - load<f32>(second + i));
    store<f32>(first + i, m);
    store<f32>(second + i, v);
    store<f32>(x + i, load<f32>(x + i) - (rate * m) / (scale * sqrt<f32>(v) + least));
  }
}
