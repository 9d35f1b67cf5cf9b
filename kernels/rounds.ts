// DualQuery's weights through its rounds: a block of answers at a time, small enough to stay in the fastest memory. The weight of an answer
// and its inverse are both kept, since a second multiplication takes a fraction of a division's time.

/** Sets weights and inverses of `size` answers to 1. */
// @ts-ignore: decorator
@inline
function begin(weights: usize, inverses: usize, size: usize): void {
  for (let i: usize = 0; i < size << 3; i += 8) {
    store<f64>(weights + i, 1);
    store<f64>(inverses + i, 1);
  }
}

/** The weights of the answers whose places stand from `hit` to `end` are multiplied by `less`, their inverses by `more`. */
// @ts-ignore: decorator
@inline
function strike(hit: usize, end: usize, weights: usize, inverses: usize, less: f64, more: f64): void {
  for (; hit < end; hit += 4) {
    const place = <usize>load<u32>(hit) << 3;
    store<f64>(weights + place, load<f64>(weights + place) * less);
    store<f64>(inverses + place, load<f64>(inverses + place) * more);
  }
}

/** One round of two answers: what their weights have become. */
// @ts-ignore: decorator
@inline
function grow(weights: usize, growth: usize): v128 {
  const weight = f64x2.mul(v128.load(weights), v128.load(growth));
  v128.store(weights, weight);
  return weight;
}

// @ts-ignore: decorator
@inline
function growOne(weights: usize, growth: usize): f64 {
  const weight = load<f64>(weights) * load<f64>(growth);
  store<f64>(weights, weight);
  return weight;
}

/**
 * For every round: strikes the answers hit, lets all weights grow by their factors and their inverses by the inverse factors, and adds the
 * sum of both to sums[round]. Growth, then inverse growth: f64 each. Scratch: 16 bytes an answer.
 */
export function roundSums(starts: usize, hits: usize, rounds: usize, less: f64, growth: usize, size: usize, scratch: usize, sums: usize): void {
  const bytes = size << 3;
  const inverses = scratch + bytes;
  const decline = growth + bytes;
  const more = 1 / less;
  const whole = bytes & ~31;
  begin(scratch, inverses, size);
  for (const end = sums + (rounds << 3); sums < end; sums += 8) {
    strike(hits + (<usize>load<u32>(starts) << 2), hits + (<usize>load<u32>(starts, 4) << 2), scratch, inverses, less, more);
    starts += 4;
    let a = f64x2.splat(0);
    let b = a;
    let c = a;
    let d = a;
    let i: usize = 0;
    for (; i < whole; i += 32) {
      a = f64x2.add(a, grow(scratch + i, growth + i));
      b = f64x2.add(b, grow(inverses + i, decline + i));
      c = f64x2.add(c, grow(scratch + i + 16, growth + i + 16));
      d = f64x2.add(d, grow(inverses + i + 16, decline + i + 16));
    }
    const all = f64x2.add(f64x2.add(a, b), f64x2.add(c, d));
    let sum = f64x2.extract_lane(all, 0) + f64x2.extract_lane(all, 1);
    for (; i < bytes; i += 8) sum += growOne(scratch + i, growth + i) + growOne(inverses + i, decline + i);
    store<f64>(sums, load<f64>(sums) + sum);
  }
}

/** The same rounds: adds factors[round] times (weight - inverse) to the slope of every answer, round by round. */
export function roundSlopes(starts: usize, hits: usize, rounds: usize, less: f64, growth: usize, size: usize, scratch: usize, factors: usize, slopes: usize): void {
  const bytes = size << 3;
  const inverses = scratch + bytes;
  const decline = growth + bytes;
  const more = 1 / less;
  const whole = bytes & ~31;
  begin(scratch, inverses, size);
  for (const end = factors + (rounds << 3); factors < end; factors += 8) {
    strike(hits + (<usize>load<u32>(starts) << 2), hits + (<usize>load<u32>(starts, 4) << 2), scratch, inverses, less, more);
    starts += 4;
    const factor = load<f64>(factors);
    const both = f64x2.splat(factor);
    let i: usize = 0;
    for (; i < whole; i += 32) {
      const p = f64x2.sub(grow(scratch + i, growth + i), grow(inverses + i, decline + i));
      const q = f64x2.sub(grow(scratch + i + 16, growth + i + 16), grow(inverses + i + 16, decline + i + 16));
      v128.store(slopes + i, f64x2.add(v128.load(slopes + i), f64x2.mul(both, p)));
      v128.store(slopes + i, f64x2.add(v128.load(slopes + i, 16), f64x2.mul(both, q)), 16);
    }
    for (; i < bytes; i += 8) {
      const gap = growOne(scratch + i, growth + i) - growOne(inverses + i, decline + i);
      store<f64>(slopes + i, load<f64>(slopes + i) + factor * gap);
    }
  }
}
