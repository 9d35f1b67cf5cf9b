// Persons of households, f32 (H-GEM, section 4.2). A row has probabilities P of the sizes 1..M, and M slots of persons, each with chances p of
// the same cells. Slots lie `slotStride` elements apart, their rows `rowStride`. With `once` 1 a household counts once in a cell, however many
// of its persons are there; with 0 its persons count. Both are one recurrence over slots: seen = seen + p (1 - once seen).

/**
 * What households of m persons are expected to count in each cell, times P(m): the sum over m, or, with `apart`, one list of cells for each m.
 * Rows of the target follow each other.
 */
export function slotRows(
  sizes: usize, sizeStride: usize, slots: usize, slotStride: usize, rowStride: usize, maxSize: usize, cells: usize,
  once: f32, apart: bool, target: usize, rows: usize,
): void {
  const whole = (cells & ~3) << 2;
  const end = cells << 2;
  const last = maxSize << 2;
  const one = f32x4.splat(1);
  const flag = f32x4.splat(once);
  const step = slotStride << 2;
  for (; rows > 0; rows--) {
    let i: usize = 0;
    for (; i < whole; i += 16) {
      let seen = f32x4.splat(0);
      let sum = f32x4.splat(0);
      let p = slots + i;
      let to = target + i;
      for (let m: usize = 0; m < last; m += 4) {
        seen = f32x4.add(seen, f32x4.mul(v128.load(p), f32x4.sub(one, f32x4.mul(flag, seen))));
        const part = f32x4.mul(v128.load32_splat(sizes + m), seen);
        if (apart) {
          v128.store(to, part);
          to += end;
        } else sum = f32x4.add(sum, part);
        p += step;
      }
      if (!apart) v128.store(to, sum);
    }
    for (; i < end; i += 4) {
      let seen: f32 = 0;
      let sum: f32 = 0;
      let p = slots + i;
      let to = target + i;
      for (let m: usize = 0; m < last; m += 4) {
        seen = seen + load<f32>(p) * (1 - once * seen);
        const part = load<f32>(sizes + m) * seen;
        if (apart) {
          store<f32>(to, part);
          to += end;
        } else sum += part;
        p += step;
      }
      if (!apart) store<f32>(to, sum);
    }
    sizes += sizeStride << 2;
    slots += rowStride << 2;
    target += apart ? end * maxSize : end;
  }
}

/**
 * Adds the gradients by sizes and by slots of `slotRows`, given those by its target; where the slots' gradient is 0, those by sizes alone. Uses
 * 16 bytes for each slot at `scratch`.
 */
export function slotBack(
  sizes: usize, sizeStride: usize, slots: usize, slotStride: usize, rowStride: usize, maxSize: usize, cells: usize,
  once: f32, apart: bool, gradient: usize, sizeGradient: usize, sizeGradientStride: usize,
  slotGradient: usize, slotGradientStride: usize, rowGradientStride: usize, scratch: usize, rows: usize,
): void {
  const whole = (cells & ~3) << 2;
  const end = cells << 2;
  const one = f32x4.splat(1);
  const flag = f32x4.splat(once);
  const step = slotStride << 2;
  const gradientStep = slotGradientStride << 2;
  const length = apart ? end * maxSize : end;
  for (; rows > 0; rows--) {
    let i: usize = 0;
    for (; i < whole; i += 16) {
      let seen = f32x4.splat(0);
      for (let m: usize = 0; m < maxSize; m++) {
        seen = f32x4.add(seen, f32x4.mul(v128.load(slots + i + m * step), f32x4.sub(one, f32x4.mul(flag, seen))));
        v128.store(scratch + (m << 4), seen);
      }
      // By what was seen up to slot m: from its own size, and from the slots after it.
      let by = f32x4.splat(0);
      for (let m = maxSize; m-- > 0; ) {
        const g = v128.load(gradient + i + (apart ? m * end : 0));
        const products = f32x4.mul(g, v128.load(scratch + (m << 4)));
        const sum =
          f32x4.extract_lane(products, 0) + f32x4.extract_lane(products, 1) + (f32x4.extract_lane(products, 2) + f32x4.extract_lane(products, 3));
        const own = sizeGradient + (m << 2);
        store<f32>(own, load<f32>(own) + sum);
        if (slotGradient == 0) continue;
        by = f32x4.add(by, f32x4.mul(g, v128.load32_splat(sizes + (m << 2))));
        const before = m > 0 ? v128.load(scratch + ((m - 1) << 4)) : f32x4.splat(0);
        const to = slotGradient + i + m * gradientStep;
        v128.store(to, f32x4.add(v128.load(to), f32x4.mul(by, f32x4.sub(one, f32x4.mul(flag, before)))));
        by = f32x4.mul(by, f32x4.sub(one, f32x4.mul(flag, v128.load(slots + i + m * step))));
      }
    }
    for (; i < end; i += 4) {
      let seen: f32 = 0;
      for (let m: usize = 0; m < maxSize; m++) {
        seen = seen + load<f32>(slots + i + m * step) * (1 - once * seen);
        store<f32>(scratch + (m << 4), seen);
      }
      let by: f32 = 0;
      for (let m = maxSize; m-- > 0; ) {
        const g = load<f32>(gradient + i + (apart ? m * end : 0));
        const own = sizeGradient + (m << 2);
        store<f32>(own, load<f32>(own) + g * load<f32>(scratch + (m << 4)));
        if (slotGradient == 0) continue;
        by = by + g * load<f32>(sizes + (m << 2));
        const before: f32 = m > 0 ? load<f32>(scratch + ((m - 1) << 4)) : 0;
        const to = slotGradient + i + m * gradientStep;
        store<f32>(to, load<f32>(to) + by * (1 - once * before));
        by = by * (1 - once * load<f32>(slots + i + m * step));
      }
    }
    sizes += sizeStride << 2;
    slots += rowStride << 2;
    gradient += length;
    sizeGradient += sizeGradientStride << 2;
    if (slotGradient != 0) slotGradient += rowGradientStride << 2;
  }
}
