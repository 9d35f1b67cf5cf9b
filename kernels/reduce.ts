// Reductions over f64. Sums run in blocks of 256 terms on eight lanes; the block sums are added with Neumaier's
// compensation, so that the error stays below 40 * 2^-53 times the sum of absolute terms, however long the array.
export const BLOCK: usize = 256 << 3;

// @ts-ignore: decorator
@inline
export function neumaier(total: f64, term: f64, next: f64): f64 {
  return abs(total) >= abs(term) ? total - next + term : term - next + total;
}

/** Infinite and NaN totals stand as they are: their compensation is meaningless. */
// @ts-ignore: decorator
@inline
export function settle(total: f64, rest: f64): f64 {
  return isFinite(total) ? total + rest : total;
}

// @ts-ignore: decorator
@inline
export function lanes(a: v128, b: v128, c: v128, d: v128): f64 {
  const s = f64x2.add(f64x2.add(a, b), f64x2.add(c, d));
  return f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
}

/** Sum of x; 0 when empty. */
export function sum(x: usize, length: usize): f64 {
  const end = x + (length << 3);
  let total: f64 = 0;
  let rest: f64 = 0;
  while (x < end) {
    const stop = end - x < BLOCK ? end : x + BLOCK;
    const whole = x + ((stop - x) & ~63);
    let a = f64x2.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (; x < whole; x += 64) {
      a = f64x2.add(a, v128.load(x));
      b = f64x2.add(b, v128.load(x, 16));
      c = f64x2.add(c, v128.load(x, 32));
      d = f64x2.add(d, v128.load(x, 48));
    }
    let term = lanes(a, b, c, d);
    for (; x < stop; x += 8) term += load<f64>(x);
    const next = total + term;
    rest += neumaier(total, term, next);
    total = next;
  }
  return settle(total, rest);
}

/** Sum of x[i] * y[i]; 0 when empty. */
export function dot(x: usize, y: usize, length: usize): f64 {
  const end = x + (length << 3);
  let total: f64 = 0;
  let rest: f64 = 0;
  while (x < end) {
    const stop = end - x < BLOCK ? end : x + BLOCK;
    const whole = x + ((stop - x) & ~63);
    let a = f64x2.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (; x < whole; x += 64) {
      a = f64x2.add(a, f64x2.mul(v128.load(x), v128.load(y)));
      b = f64x2.add(b, f64x2.mul(v128.load(x, 16), v128.load(y, 16)));
      c = f64x2.add(c, f64x2.mul(v128.load(x, 32), v128.load(y, 32)));
      d = f64x2.add(d, f64x2.mul(v128.load(x, 48), v128.load(y, 48)));
      y += 64;
    }
    let term = lanes(a, b, c, d);
    for (; x < stop; x += 8) {
      term += load<f64>(x) * load<f64>(y);
      y += 8;
    }
    const next = total + term;
    rest += neumaier(total, term, next);
    total = next;
  }
  return settle(total, rest);
}

// @ts-ignore: decorator
@inline
function gap(x: usize, y: usize): v128 {
  return f64x2.abs(f64x2.sub(v128.load(x), v128.load(y)));
}

/** Sum of |x[i] - y[i]|; 0 when empty. */
export function distance(x: usize, y: usize, length: usize): f64 {
  const end = x + (length << 3);
  let total: f64 = 0;
  let rest: f64 = 0;
  while (x < end) {
    const stop = end - x < BLOCK ? end : x + BLOCK;
    const whole = x + ((stop - x) & ~63);
    let a = f64x2.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (; x < whole; x += 64) {
      a = f64x2.add(a, gap(x, y));
      b = f64x2.add(b, gap(x + 16, y + 16));
      c = f64x2.add(c, gap(x + 32, y + 32));
      d = f64x2.add(d, gap(x + 48, y + 48));
      y += 64;
    }
    let term = lanes(a, b, c, d);
    for (; x < stop; x += 8) {
      term += abs(load<f64>(x) - load<f64>(y));
      y += 8;
    }
    const next = total + term;
    rest += neumaier(total, term, next);
    total = next;
  }
  return settle(total, rest);
}

/** Largest element, NaN if any is NaN; minus infinity when empty. */
export function max(x: usize, length: usize): f64 {
  const whole = x + ((length << 3) & ~63);
  const end = x + (length << 3);
  // pmax is one instruction where max is many, but it skips a NaN: those are noted beside it.
  let a = f64x2.splat(-Infinity);
  let b = a;
  let c = a;
  let d = a;
  let odd = i64x2.splat(0);
  for (; x < whole; x += 64) {
    const p = v128.load(x);
    const q = v128.load(x, 16);
    const r = v128.load(x, 32);
    const s = v128.load(x, 48);
    a = f64x2.pmax(a, p);
    b = f64x2.pmax(b, q);
    c = f64x2.pmax(c, r);
    d = f64x2.pmax(d, s);
    odd = v128.or(odd, v128.or(f64x2.ne(p, p), v128.or(f64x2.ne(q, q), v128.or(f64x2.ne(r, r), f64x2.ne(s, s)))));
  }
  if (v128.any_true(odd)) return NaN;
  a = f64x2.pmax(f64x2.pmax(a, b), f64x2.pmax(c, d));
  let best = Math.max(f64x2.extract_lane(a, 0), f64x2.extract_lane(a, 1));
  for (; x < end; x += 8) best = Math.max(best, load<f64>(x));
  return best;
}

/** Smallest element, NaN if any is NaN; infinity when empty. */
export function min(x: usize, length: usize): f64 {
  const whole = x + ((length << 3) & ~63);
  const end = x + (length << 3);
  // pmin is one instruction where min is many, but it skips a NaN: those are noted beside it.
  let a = f64x2.splat(Infinity);
  let b = a;
  let c = a;
  let d = a;
  let odd = i64x2.splat(0);
  for (; x < whole; x += 64) {
    const p = v128.load(x);
    const q = v128.load(x, 16);
    const r = v128.load(x, 32);
    const s = v128.load(x, 48);
    a = f64x2.pmin(a, p);
    b = f64x2.pmin(b, q);
    c = f64x2.pmin(c, r);
    d = f64x2.pmin(d, s);
    odd = v128.or(odd, v128.or(f64x2.ne(p, p), v128.or(f64x2.ne(q, q), v128.or(f64x2.ne(r, r), f64x2.ne(s, s)))));
  }
  if (v128.any_true(odd)) return NaN;
  a = f64x2.pmin(f64x2.pmin(a, b), f64x2.pmin(c, d));
  let best = Math.min(f64x2.extract_lane(a, 0), f64x2.extract_lane(a, 1));
  for (; x < end; x += 8) best = Math.min(best, load<f64>(x));
  return best;
}

/** Largest |x[i] - y[i]|, NaN if any is NaN; 0 when empty. */
export function maxDistance(x: usize, y: usize, length: usize): f64 {
  const whole = x + ((length << 3) & ~31);
  const end = x + (length << 3);
  let a = f64x2.splat(0);
  let b = a;
  for (; x < whole; x += 32) {
    a = f64x2.max(a, gap(x, y));
    b = f64x2.max(b, gap(x + 16, y + 16));
    y += 32;
  }
  a = f64x2.max(a, b);
  let largest = Math.max(f64x2.extract_lane(a, 0), f64x2.extract_lane(a, 1));
  for (; x < end; x += 8) {
    largest = Math.max(largest, abs(load<f64>(x) - load<f64>(y)));
    y += 8;
  }
  return largest;
}
