// Reductions over f64. Sums run in blocks of 256 terms on eight lanes; the block sums are added with Neumaier's
// compensation, so that the error stays below 40 * 2^-53 times the sum of absolute terms, however long the array.
//
// AssemblyScript has no closures: where a loop is to serve several functions, a class stands for the function. None is ever
// made: `changetype<Terms>(0).block(...)` is a call that the compiler knows and inlines. The other kernels do likewise.
const BLOCK: usize = 256 << 3;

// @ts-ignore: decorator
@inline
export function lanes(a: v128, b: v128, c: v128, d: v128): f64 {
  const s = f64x2.add(f64x2.add(a, b), f64x2.add(c, d));
  return f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
}

/** Sum of what `Terms.block` gives for each block of x from its address to `stop`, and of y and target beside it. */
// @ts-ignore: decorator
@inline
export function blockSum<Terms>(x: usize, y: usize, target: usize, p: v128, q: v128, length: usize): f64 {
  const end = x + (length << 3);
  let total: f64 = 0;
  let rest: f64 = 0;
  while (x < end) {
    const stop = end - x < BLOCK ? end : x + BLOCK;
    const term = changetype<Terms>(0).block(x, y, target, p, q, stop);
    const next = total + term;
    rest += abs(total) >= abs(term) ? total - next + term : term - next + total;
    total = next;
    y += BLOCK;
    target += BLOCK;
    x = stop;
  }
  // Infinite and NaN totals stand as they are: their compensation is meaningless.
  return isFinite(total) ? total + rest : total;
}

/** A block of terms that `Term` gives for two elements, or one. */
class Plain<Term> {
  // @ts-ignore: decorator
  @inline
  block(x: usize, y: usize, target: usize, p: v128, q: v128, stop: usize): f64 {
    const term = changetype<Term>(0);
    const whole = x + ((stop - x) & ~63);
    let a = f64x2.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (; x < whole; x += 64) {
      a = f64x2.add(a, term.two(x, y));
      b = f64x2.add(b, term.two(x + 16, y + 16));
      c = f64x2.add(c, term.two(x + 32, y + 32));
      d = f64x2.add(d, term.two(x + 48, y + 48));
      y += 64;
    }
    let sum = lanes(a, b, c, d);
    for (; x < stop; x += 8) {
      sum += term.one(x, y);
      y += 8;
    }
    return sum;
  }
}

export class Value {
  // @ts-ignore: decorator
  @inline
  two(x: usize, y: usize): v128 {
    return v128.load(x);
  }
  // @ts-ignore: decorator
  @inline
  one(x: usize, y: usize): f64 {
    return load<f64>(x);
  }
}

export class Product {
  // @ts-ignore: decorator
  @inline
  two(x: usize, y: usize): v128 {
    return f64x2.mul(v128.load(x), v128.load(y));
  }
  // @ts-ignore: decorator
  @inline
  one(x: usize, y: usize): f64 {
    return load<f64>(x) * load<f64>(y);
  }
}

class Gap {
  // @ts-ignore: decorator
  @inline
  two(x: usize, y: usize): v128 {
    return f64x2.abs(f64x2.sub(v128.load(x), v128.load(y)));
  }
  // @ts-ignore: decorator
  @inline
  one(x: usize, y: usize): f64 {
    return abs(load<f64>(x) - load<f64>(y));
  }
}

/** Sum of x; 0 when empty. */
export function sum(x: usize, length: usize): f64 {
  return blockSum<Plain<Value>>(x, 0, 0, f64x2.splat(0), f64x2.splat(0), length);
}

/** Sum of x[i] * y[i]; 0 when empty. */
export function dot(x: usize, y: usize, length: usize): f64 {
  return blockSum<Plain<Product>>(x, y, 0, f64x2.splat(0), f64x2.splat(0), length);
}

/** Sum of |x[i] - y[i]|; 0 when empty. */
export function distance(x: usize, y: usize, length: usize): f64 {
  return blockSum<Plain<Gap>>(x, y, 0, f64x2.splat(0), f64x2.splat(0), length);
}
class Larger {
  // @ts-ignore: decorator
  @inline
  two(a: v128, b: v128): v128 {
    return f64x2.pmax(a, b);
  }
  // @ts-ignore: decorator
  @inline
  one(a: f64, b: f64): f64 {
    return Math.max(a, b);
  }
}

class Smaller {
  // @ts-ignore: decorator
  @inline
  two(a: v128, b: v128): v128 {
    return f64x2.pmin(a, b);
  }
  // @ts-ignore: decorator
  @inline
  one(a: f64, b: f64): f64 {
    return Math.min(a, b);
  }
}

/** The first of all elements and `worst` by `Order`, NaN if any is NaN. */
// @ts-ignore: decorator
@inline
function first<Order>(x: usize, worst: f64, length: usize): f64 {
  const order = changetype<Order>(0);
  const whole = x + ((length << 3) & ~63);
  const end = x + (length << 3);
  // pmax and pmin are one instruction where max and min are many, but they skip a NaN: those are noted beside them.
  let a = f64x2.splat(worst);
  let b = a;
  let c = a;
  let d = a;
  let odd = i64x2.splat(0);
  for (; x < whole; x += 64) {
    const p = v128.load(x);
    const q = v128.load(x, 16);
    const r = v128.load(x, 32);
    const s = v128.load(x, 48);
    a = order.two(a, p);
    b = order.two(b, q);
    c = order.two(c, r);
    d = order.two(d, s);
    odd = v128.or(odd, v128.or(f64x2.ne(p, p), v128.or(f64x2.ne(q, q), v128.or(f64x2.ne(r, r), f64x2.ne(s, s)))));
  }
  if (v128.any_true(odd)) return NaN;
  a = order.two(order.two(a, b), order.two(c, d));
  let best = order.one(f64x2.extract_lane(a, 0), f64x2.extract_lane(a, 1));
  for (; x < end; x += 8) best = order.one(best, load<f64>(x));
  return best;
}

/** Largest element, NaN if any is NaN; minus infinity when empty. */
export function max(x: usize, length: usize): f64 {
  return first<Larger>(x, -Infinity, length);
}

/** Smallest element, NaN if any is NaN; infinity when empty. */
export function min(x: usize, length: usize): f64 {
  return first<Smaller>(x, Infinity, length);
}

/** Largest |x[i] - y[i]|, NaN if any is NaN; 0 when empty. */
export function maxDistance(x: usize, y: usize, length: usize): f64 {
  const whole = x + ((length << 3) & ~31);
  const end = x + (length << 3);
  let a = f64x2.splat(0);
  let b = a;
  for (; x < whole; x += 32) {
    a = f64x2.max(a, changetype<Gap>(0).two(x, y));
    b = f64x2.max(b, changetype<Gap>(0).two(x + 16, y + 16));
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
