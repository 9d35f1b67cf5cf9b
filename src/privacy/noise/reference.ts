import type { Random } from '../../random/random.js';
import type { Rational } from '../rational.js';
import { bernoulliExpBig } from './bernoulli.js';

/**
 * The samplers of Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy" (2020), algorithms 2 and 3, as
 * published and in unbounded integers. They draw for the scales that the table sampler does not take, and the tests compare
 * the table sampler with them. A few microseconds a draw.
 */

/** A uniform integer in [0, bound): as many bits as bound - 1 has, again until they fit, each accepted with chance above 1/2. */
export const uniformBigInt = (bound: bigint, random: Random): bigint => {
  const bits = (bound - 1n).toString(2).length;
  const words = Math.ceil(bits / 32);
  const spare = BigInt(words * 32 - bits);
  for (;;) {
    let value = 0n;
    for (let i = 0; i < words; i++) value = (value << 32n) | BigInt(random.uint32());
    value >>= spare;
    if (value < bound) return value;
  }
};

/** An integer x with chance proportional to exp(-|x| / scale), exactly. */
export const referenceLaplace = (scale: Rational, random: Random): bigint => {
  const { numerator: d, denominator: n } = scale;
  for (;;) {
    const u = uniformBigInt(d, random);
    if (!bernoulliExpBig(u, d, random)) continue;
    let v = 0n;
    while (bernoulliExpBig(1n, 1n, random)) v++;
    const magnitude = (v * d + u) / n;
    const negative = random.uint32() >>> 31 === 1;
    if (magnitude === 0n && negative) continue;
    return negative ? -magnitude : magnitude;
  }
};

/** floor(sqrt(n / d)), by Newton's iteration from above. */
const floorRoot = (n: bigint, d: bigint): bigint => {
  const square = n / d;
  if (square < 2n) return square;
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
};

/** An integer x with chance proportional to exp(-x^2 / (2 sigma^2)), exactly. */
export const referenceGaussian = (sigmaSquared: Rational, random: Random): bigint => {
  const { numerator: n, denominator: d } = sigmaSquared;
  const t = floorRoot(n, d) + 1n;
  const proposal = { numerator: t, denominator: 1n };
  for (;;) {
    const y = referenceLaplace(proposal, random);
    // (|y| - sigma^2/t)^2 / (2 sigma^2) with sigma^2 = n/d is (|y| d t - n)^2 / (2 n d t^2).
    const distance = (y < 0n ? -y : y) * d * t - n;
    if (bernoulliExpBig(distance * distance, 2n * n * d * t * t, random)) return y;
  }
};
