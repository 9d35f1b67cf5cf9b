/**
 * The roundest number x with low < x <= high: a multiple of the largest possible step of the series ... 1, 2, 5, 10, 20, ...,
 * 0 when it lies between. With `whole` it is an integer (there must be one). Cuts between bins are chosen with it, so
 * that people can read them.
 */
export const roundNumber = (low: number, high: number, whole = false): number => {
  if (low < 0 && high >= 0) return 0;
  const top = Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high))));
  for (let power = top; power >= (whole ? 0 : -300) && power > top - 18; power--) {
    for (const digit of [5, 2, 1]) {
      const x = multipleBelow(high, digit, power);
      if (x > low && x <= high) return x;
    }
  }
  return whole ? Math.floor(high) : high;
};

/** The largest multiple of digit * 10^power up to x, computed so that 0.3 comes out as 0.3. */
const multipleBelow = (x: number, digit: number, power: number): number => {
  const scale = 10 ** Math.abs(power);
  const x0 =
    power >= 0 ? Math.floor(x / scale / digit) * digit * scale : (Math.floor((x * scale) / digit) * digit) / scale;
  return x0 + 0;
};
