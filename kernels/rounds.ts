// DualQuery's weights through its rounds: a block of answers at a time, small enough to stay in the fastest memory. The weight of an answer
// and its inverse are both kept, since a second multiplication takes a fraction of a division's time. Two rounds are gone through at once, which
// takes half the loads and stores: where the second of them has a hit, its weight is struck before both and its inverse behind both, and what the
// first (second) round lacks of the weight (inverse) is added. Both are positive, so nothing cancels.

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

/** One round of an answer: what its weight has become. */
// @ts-ignore: decorator
@inline
function growOne(weights: usize, growth: usize): f64 {
  const weight = load<f64>(weights) * load<f64>(growth);
  store<f64>(weights, weight);
  return weight;
}

/** Strikes the weights of the second of two rounds before both; the first lacks what is returned. */
// @ts-ignore: decorator
@inline
function strikeEarly(hit: usize, end: usize, weights: usize, growth: usize, less: f64): f64 {
  let lacking: f64 = 0;
  for (; hit < end; hit += 4) lacking += strikeOneEarly(<usize>load<u32>(hit) << 3, weights, growth, less);
  return lacking;
}

// @ts-ignore: decorator
@inline
function strikeOneEarly(place: usize, weights: usize, growth: usize, less: f64): f64 {
  const weight = load<f64>(weights + place);
  store<f64>(weights + place, weight * less);
  return weight * load<f64>(growth + place) * (1 - less);
}

/** Strikes the inverses of the second of two rounds behind both; the second lacks what is returned. */
// @ts-ignore: decorator
@inline
function strikeLate(hit: usize, end: usize, inverses: usize, more: f64): f64 {
  let lacking: f64 = 0;
  for (; hit < end; hit += 4) lacking += strikeOneLate(<usize>load<u32>(hit) << 3, inverses, more);
  return lacking;
}

// @ts-ignore: decorator
@inline
function strikeOneLate(place: usize, inverses: usize, more: f64): f64 {
  const inverse = load<f64>(inverses + place);
  store<f64>(inverses + place, inverse * more);
  return inverse * (more - 1);
}

// @ts-ignore: decorator
@inline
function both(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1);
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
  const whole = bytes & ~15;
  const end = sums + (rounds << 3);
  begin(scratch, inverses, size);
  for (; sums + 8 < end; sums += 16, starts += 8) {
    const second = hits + (<usize>load<u32>(starts, 4) << 2);
    const third = hits + (<usize>load<u32>(starts, 8) << 2);
    strike(hits + (<usize>load<u32>(starts) << 2), second, scratch, inverses, less, more);
    let one = strikeEarly(second, third, scratch, growth, less);
    let a = f64x2.splat(0);
    let b = a;
    let c = a;
    let d = a;
    let i: usize = 0;
    for (; i < whole; i += 16) {
      const factor = v128.load(growth + i);
      const inverse = v128.load(decline + i);
      const p = f64x2.mul(v128.load(scratch + i), factor);
      const q = f64x2.mul(v128.load(inverses + i), inverse);
      a = f64x2.add(a, p);
      b = f64x2.add(b, q);
      const r = f64x2.mul(p, factor);
      const s = f64x2.mul(q, inverse);
      c = f64x2.add(c, r);
      d = f64x2.add(d, s);
      v128.store(scratch + i, r);
      v128.store(inverses + i, s);
    }
    one += both(f64x2.add(a, b));
    let two = both(f64x2.add(c, d));
    for (; i < bytes; i += 8) {
      one += growOne(scratch + i, growth + i) + growOne(inverses + i, decline + i);
      two += growOne(scratch + i, growth + i) + growOne(inverses + i, decline + i);
    }
    two += strikeLate(second, third, inverses, more);
    store<f64>(sums, load<f64>(sums) + one);
    store<f64>(sums, load<f64>(sums, 8) + two, 8);
  }
  if (sums == end) return;
  strike(hits + (<usize>load<u32>(starts) << 2), hits + (<usize>load<u32>(starts, 4) << 2), scratch, inverses, less, more);
  let last = load<f64>(sums);
  for (let i: usize = 0; i < bytes; i += 8) last += growOne(scratch + i, growth + i) + growOne(inverses + i, decline + i);
  store<f64>(sums, last);
}

/** The same rounds: adds factors[round] times (weight - inverse) to the slope of every answer. */
export function roundSlopes(starts: usize, hits: usize, rounds: usize, less: f64, growth: usize, size: usize, scratch: usize, factors: usize, slopes: usize): void {
  const bytes = size << 3;
  const inverses = scratch + bytes;
  const decline = growth + bytes;
  const more = 1 / less;
  const whole = bytes & ~15;
  const end = factors + (rounds << 3);
  begin(scratch, inverses, size);
  for (; factors + 8 < end; factors += 16, starts += 8) {
    const second = hits + (<usize>load<u32>(starts, 4) << 2);
    const third = hits + (<usize>load<u32>(starts, 8) << 2);
    const one = load<f64>(factors);
    const two = load<f64>(factors, 8);
    strike(hits + (<usize>load<u32>(starts) << 2), second, scratch, inverses, less, more);
    for (let hit = second; hit < third; hit += 4) {
      const place = <usize>load<u32>(hit) << 3;
      const lacking = strikeOneEarly(place, scratch, growth, less);
      store<f64>(slopes + place, load<f64>(slopes + place) + one * lacking);
    }
    const ones = f64x2.splat(one);
    const twos = f64x2.splat(two);
    let i: usize = 0;
    for (; i < whole; i += 16) {
      const factor = v128.load(growth + i);
      const inverse = v128.load(decline + i);
      const p = f64x2.mul(v128.load(scratch + i), factor);
      const q = f64x2.mul(v128.load(inverses + i), inverse);
      const r = f64x2.mul(p, factor);
      const s = f64x2.mul(q, inverse);
      v128.store(scratch + i, r);
      v128.store(inverses + i, s);
      const gain = f64x2.add(f64x2.mul(ones, f64x2.sub(p, q)), f64x2.mul(twos, f64x2.sub(r, s)));
      v128.store(slopes + i, f64x2.add(v128.load(slopes + i), gain));
    }
    for (; i < bytes; i += 8) {
      let gain = one * (growOne(scratch + i, growth + i) - growOne(inverses + i, decline + i));
      gain += two * (growOne(scratch + i, growth + i) - growOne(inverses + i, decline + i));
      store<f64>(slopes + i, load<f64>(slopes + i) + gain);
    }
    for (let hit = second; hit < third; hit += 4) {
      const place = <usize>load<u32>(hit) << 3;
      const lacking = strikeOneLate(place, inverses, more);
      store<f64>(slopes + place, load<f64>(slopes + place) - two * lacking);
    }
  }
  if (factors == end) return;
  strike(hits + (<usize>load<u32>(starts) << 2), hits + (<usize>load<u32>(starts, 4) << 2), scratch, inverses, less, more);
  const last = load<f64>(factors);
  for (let i: usize = 0; i < bytes; i += 8) {
    const gap = growOne(scratch + i, growth + i) - growOne(inverses + i, decline + i);
    store<f64>(slopes + i, load<f64>(slopes + i) + last * gap);
  }
}
