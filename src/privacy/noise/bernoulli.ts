import type { Random } from '../../random/random.js';

/**
 * Exact coins with rational odds, in safe integers and in BigInt. Both versions ask for the same random bits and decide alike,
 * so on one stream they give the same answers; a test holds them to it.
 *
 * A coin with chance a/b compares a uniform real V in [0, 1), read eight bits u at a time, with a/b. As V = (u + V')/256 with V'
 * again uniform, V < a/b exactly when V' < t/b with t = 256 a - u b. That is certain when t >= b, impossible when t <= 0, and
 * the same question over again otherwise, once in 256 times.
 */

/** The largest b of the safe-integer coins: with k <= 32 the products below stay within 256 * 32 * 2^40 = 2^53. */
export const LARGEST_DENOMINATOR = 2 ** 40;
const LARGEST_FACTOR = 32;

/** True with chance a/b, for integers 0 <= a <= b <= 2^45. Then 256 a, u b and their difference are at most 2^53, hence exact. */
export const bernoulli = (a: number, b: number, random: Random): boolean => {
  for (;;) {
    const t = 256 * a - (random.uint32() >>> 24) * b;
    if (t <= 0) return false;
    if (t >= b) return true;
    a = t;
  }
};

/** `bernoulli` without a bound on its terms. */
export const bernoulliBig = (a: bigint, b: bigint, random: Random): boolean => {
  for (;;) {
    const t = 256n * a - BigInt(random.uint32() >>> 24) * b;
    if (t <= 0n) return false;
    if (t >= b) return true;
    a = t;
  }
};

/**
 * True with chance exp(-a/b), for integers 0 <= a <= b <= 2^40 (Canonne, Kamath, Steinke 2020, algorithm 1): the first k whose
 * coin of chance a/(b k) fails is odd with chance 1 - g + g^2/2! - ... = exp(-g), where g = a/b.
 */
export const bernoulliExp = (a: number, b: number, random: Random): boolean => {
  for (let k = 1; k <= LARGEST_FACTOR; k++) if (!bernoulli(a, b * k, random)) return k % 2 === 1;
  return oddFailure(BigInt(a), BigInt(b), BigInt(LARGEST_FACTOR + 1), random);
};

const oddFailure = (a: bigint, b: bigint, from: bigint, random: Random): boolean => {
  let k = from;
  while (bernoulliBig(a, b * k, random)) k++;
  return k % 2n === 1n;
};

/** True with chance exp(-a/b), for any integers a >= 0 and b > 0: floor(a/b) coins of chance 1/e, then the rest. */
export const bernoulliExpBig = (a: bigint, b: bigint, random: Random): boolean => {
  for (; a > b; a -= b) if (!oddFailure(1n, 1n, 1n, random)) return false;
  return oddFailure(a, b, 1n, random);
};
