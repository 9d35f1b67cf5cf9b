/** Integers low <= x 2^bits <= high around a real x, at a precision the context names. */
export interface Enclosure {
  readonly low: bigint;
  readonly high: bigint;
}

const length = (n: bigint): number => n.toString(2).length;

/**
 * Encloses exp(-a/b) 2^bits for integers a >= 0, b > 0, in integer arithmetic throughout; the ends are a few units apart.
 *
 * With y = (a/b) / 2^s below 2^-7, exp(-y) comes from its alternating series and is squared s times. At p working bits, let Y be y
 * rounded down. Each term, made from the last by one product and one division, both rounded down, is at most 2 units too
 * small (the error of the last is scaled by less than 2^-7, and less than 3/2 is added), so k terms err by at most 2k; the first term
 * that comes out as 0 is below 2, and bounds what is left of an alternating series; Y instead of y adds at most 1, downwards.
 */
export const encloseExp = (a: bigint, b: bigint, bits: number): Enclosure => {
  const halvings = Math.max(0, length(a) - length(b) + 8);
  const precision = BigInt(bits + halvings + 16);
  const one = 1n << precision;
  const y = (a << precision) / (b << BigInt(halvings));
  let sum = 0n;
  let count = 0n;
  for (let term = one; term > 0n; term = ((term * y) >> precision) / count) {
    sum += count % 2n === 0n ? term : -term;
    count++;
  }
  const slack = 2n * count + 3n;
  let low = sum > slack ? sum - slack : 0n;
  let high = sum + slack;
  for (let i = 0; i < halvings; i++) {
    low = (low * low) >> precision;
    high = ((high * high) >> precision) + 1n;
  }
  const drop = precision - BigInt(bits);
  return { low: low >> drop, high: (high >> drop) + 1n };
};

/** Encloses the product of two enclosed reals in [0, 1], all at the same number of bits. */
export const multiplyEnclosures = (x: Enclosure, y: Enclosure, bits: bigint): Enclosure => ({
  low: (x.low * y.low) >> bits,
  high: ((x.high * y.high) >> bits) + 1n,
});
