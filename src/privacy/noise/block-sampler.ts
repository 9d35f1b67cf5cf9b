import type { Random } from '../../random/random.js';
import { bernoulliExp, bernoulliExpBig, LARGEST_DENOMINATOR } from './bernoulli.js';
import { type Enclosure, encloseExp, multiplyEnclosures } from './exp-enclosure.js';
import { type LazyChoice, lazyChoice, type Masses } from './lazy-choice.js';

/**
 * A symmetric law on the integers: the chance of x is proportional to exp(-(square x^2 + linear |x|) / over), where square and
 * linear are not negative and not both 0. Discrete Laplace noise has square 0, discrete Gaussian noise linear 0.
 */
export interface Law {
  readonly square: bigint;
  readonly linear: bigint;
  readonly over: bigint;
}

/** Draws one value (0 may come as -0). */
export type Sampler = (random: Random) => number;

/** Blocks are 2^21 wide at most: with q an array index, hence below 2^32, the magnitude q 2^21 + r is below 2^53. */
const LARGEST_WIDTH_BITS = 21;

/** Bits beyond those asked for: the enclosures below lose about two bits per doubling of the number of blocks. */
const GUARD_BITS = 48;

/**
 * Encloses exp(-g(q w)) for the blocks q = 0, 1, ... of width w, where g(x) = (square x^2 + linear x) / over. From one block to the
 * next the exponent grows by g(w) + q * 2 square w^2 / over, so each value is the one before times a ratio, and each ratio the
 * one before times a constant. As ratios never grow, all values from q on sum to at most value / (1 - ratio).
 */
const encloseBlocks = (law: Law, width: bigint, bits: number): Masses => {
  const precision = bits + GUARD_BITS;
  const shift = BigInt(precision);
  const one = 1n << shift;
  const enough = 1n << BigInt(GUARD_BITS - 6);
  const first = law.square * width * width;
  const growth = first === 0n ? undefined : encloseExp(2n * first, law.over, precision);
  let ratio = encloseExp(first + law.linear * width, law.over, precision);
  let value: Enclosure = { low: one, high: one };
  const low: bigint[] = [];
  const high: bigint[] = [];
  for (;;) {
    // With blocks of one value, 0 stands once and every other magnitude for two values.
    const copies = width === 1n && low.length > 0 ? 2n : 1n;
    low.push(copies * value.low);
    high.push(copies * value.high);
    value = multiplyEnclosures(value, ratio, shift);
    if (growth !== undefined) ratio = multiplyEnclosures(ratio, growth, shift);
    if (value.high > enough) continue;
    const tail = (2n * value.high * one) / (one - ratio.high) + 1n;
    if (tail <= enough) return { low, high, tail };
  }
};

/** The largest m with g(8 * 2^m) <= 1, or 0: blocks of an eighth to a sixteenth of the distance over which the law decays by e. */
const chooseWidthBits = ({ square, linear, over }: Law): number => {
  let bits = 0;
  for (let reach = 16n; square * reach * reach + linear * reach <= over; reach *= 2n) bits++;
  return bits;
};

/**
 * An exact sampler of the law in safe integers, or undefined where they do not suffice and the reference samplers must serve.
 *
 * Magnitudes are cut into blocks of w = 2^m values. A draw picks block q with chance proportional to exp(-g(q w)) by `lazyChoice`, r in
 * [0, w) uniformly by m bits, accepts with chance exp(-(g(q w + r) - g(q w))), and takes a random sign; minus zero is rejected. So
 * each x is returned with chance proportional to exp(-g(|x|)): the law, exactly. With w = 1 there is nothing to accept, and 0 has
 * half the mass of the other magnitudes instead of being rejected half the time.
 *
 * Why nothing overflows: the acceptance exponent is a / over with a = r (square (2 q w + r) + linear). `safe` counts the blocks whose
 * largest a, at r = w - 1, is at most over, and over is at most 2^40. As w >= 2, the bracket is at most that largest a, and so are r and
 * the parts of the bracket that are not 0; hence every intermediate is an integer up to 2^40, which a double holds, and
 * `bernoulliExp` may take a and over. A block beyond, met with negligible chance, is decided in BigInt.
 */
export const blockSampler = (law: Law): Sampler | undefined => {
  const { square, linear, over } = law;
  const widthBits = chooseWidthBits(law);
  if (widthBits === 0) return unitSampler(lazyChoice((bits) => encloseBlocks(law, 1n, bits)));
  if (widthBits > LARGEST_WIDTH_BITS || over > BigInt(LARGEST_DENOMINATOR)) return undefined;

  const width = 2 ** widthBits;
  const choice = lazyChoice((bits) => encloseBlocks(law, BigInt(width), bits));
  const exponent = (q: bigint, r: bigint): bigint => r * (square * (2n * q * BigInt(width) + r) + linear);
  let safe = choice.length;
  while (safe > 0 && exponent(BigInt(safe - 1), BigInt(width - 1)) > over) safe--;

  const [a2, a1, b] = [Number(square), Number(linear), Number(over)];
  const dropBits = 32 - widthBits;
  return (random) => {
    for (;;) {
      const word = random.uint32();
      const q = choice.choose(word >>> 1, random);
      const r = random.uint32() >>> dropBits;
      const start = q * width;
      const accepted =
        q < safe
          ? bernoulliExp(r * (a2 * (2 * start + r) + a1), b, random)
          : bernoulliExpBig(exponent(BigInt(q), BigInt(r)), over, random);
      if (!accepted) continue;
      const magnitude = start + r;
      if ((word & 1) === 0) return magnitude;
      if (magnitude !== 0) return -magnitude;
    }
  };
};

const unitSampler =
  (choice: LazyChoice): Sampler =>
  (random) => {
    const word = random.uint32();
    const magnitude = choice.choose(word >>> 1, random);
    return (word & 1) === 0 ? magnitude : -magnitude;
  };
