/** Fractional bits of the fixed-point numbers here: enough that 18 decimals survive multiplication by 2^100. */
export const bits = 256;

const one = 1n << BigInt(bits);

/**
 * Bounds of 2 atanh(top/bottom) for 0 <= top/bottom <= 1/3, in units of 2^-bits: the series 2 sum z^(2k+1)/(2k+1) with every
 * term rounded down for `low` and up for `high`, the tail bounded by the geometric series with ratio 1/9.
 */
const twoAtanh = (top: bigint, bottom: bigint): { low: bigint; high: bigint } => {
  let low = 0n;
  let high = 0n;
  let powerLow = (top * one) / bottom;
  let powerHigh = (top * one + bottom - 1n) / bottom;
  const squareLow = (powerLow * powerLow) >> BigInt(bits);
  const squareHigh = ((powerHigh * powerHigh) >> BigInt(bits)) + 1n;
  for (let k = 1n; ; k += 2n) {
    low += powerLow / k;
    high += powerHigh / k + 1n;
    powerLow = (powerLow * squareLow) >> BigInt(bits);
    powerHigh = ((powerHigh * squareHigh) >> BigInt(bits)) + 1n;
    // What is left is below powerHigh * (1 + 1/9 + 1/81 + ...) < 2 powerHigh.
    if (powerHigh <= 2n) return { low: 2n * low, high: 2n * (high + 2n * powerHigh) };
  }
};

const ln2 = twoAtanh(1n, 3n);

/**
 * Bounds of ln(numerator/denominator) for positive arguments, in units of 2^-bits, less than 2^-240 apart for quotients
 * between 2^-2000 and 2^2000. Integers only: the quotient is x 2^k with x in [1, 2), ln x = 2 atanh((x-1)/(x+1)).
 */
export const ln = (numerator: bigint, denominator: bigint): { readonly low: bigint; readonly high: bigint } => {
  let shift = BigInt(numerator.toString(2).length - denominator.toString(2).length);
  let top = shift < 0n ? numerator << -shift : numerator;
  let bottom = shift > 0n ? denominator << shift : denominator;
  if (top < bottom) {
    top <<= 1n;
    shift -= 1n;
  } else if (top >= 2n * bottom) {
    bottom <<= 1n;
    shift += 1n;
  }
  const mantissa = twoAtanh(top - bottom, top + bottom);
  return shift >= 0n
    ? { low: shift * ln2.low + mantissa.low, high: shift * ln2.high + mantissa.high }
    : { low: shift * ln2.high + mantissa.low, high: shift * ln2.low + mantissa.high };
};
