/** target[i] = `Function.two` of x[i], two elements at a time; the target may be x. */
// @ts-ignore: decorator
@inline
export function map<Function>(x: usize, target: usize, length: usize): void {
  const f = changetype<Function>(0);
  const whole = x + ((length << 3) & ~63);
  const end = x + (length << 3);
  for (; x < whole; x += 64) {
    const a = f.two(v128.load(x));
    const b = f.two(v128.load(x, 16));
    const c = f.two(v128.load(x, 32));
    const d = f.two(v128.load(x, 48));
    v128.store(target, a);
    v128.store(target, b, 16);
    v128.store(target, c, 32);
    v128.store(target, d, 48);
    target += 64;
  }
  for (; x < end; x += 8) {
    store<f64>(target, f64x2.extract_lane(f.two(v128.load64_splat(x)), 0));
    target += 8;
  }
}
