import { InputError } from '../../domain/input-error.js';
import type { Random } from '../../random/random.js';
import type { Entropy } from '../entropy.js';
import type { Law } from './block-sampler.js';
import { cachedSampler } from './sampler-cache.js';

/**
 * Adds to each count an independent whole number drawn from the law, exactly: by the table sampler where it takes the law, and else
 * by `reference`, which draws from the same. Takes whole counts below 2^53 in size and returns such, in a new array; refuses others,
 * and noisy counts that would not be.
 */
export const addNoise = (
  counts: Float64Array,
  law: Law,
  reference: (random: Random) => bigint,
  entropy: Entropy,
): Float64Array => {
  checkCounts(counts);
  const sampler = cachedSampler(law);
  return counts.map(
    sampler === undefined ? (count) => bigSum(count, reference(entropy)) : (count) => wholeSum(count, sampler(entropy)),
  );
};

/** Refuses counts that are not safe integers; says where, never what. */
const checkCounts = (counts: Float64Array): void => {
  for (let i = 0; i < counts.length; i++)
    if (!Number.isSafeInteger(counts[i]))
      throw new InputError(
        `counts: must be whole numbers below 2^53 in size, got another value at position ${i}; noise is drawn for exact counts only`,
      );
};

const tooLarge = (): InputError =>
  new InputError(
    'noise: a noisy count must stay below 2^53 in size, got a larger one; the scale is too large for any use, spend more budget',
  );

/**
 * count + noise for safe integers of either sign. When the exact sum is a safe integer the double sum is that integer; when it
 * is not, the double sum is at least 2^53 in size as well, rounding being monotone, and is refused. The refusal depends on the
 * noisy count alone, so it tells nothing that the noisy count would not.
 */
const wholeSum = (count: number, noise: number): number => {
  const sum = count + noise;
  if (!Number.isSafeInteger(sum)) throw tooLarge();
  // Turns -0 into 0.
  return sum + 0;
};

/** `wholeSum` for noise of any size. */
const bigSum = (count: number, noise: bigint): number => {
  const sum = BigInt(count) + noise;
  if (sum > BigInt(Number.MAX_SAFE_INTEGER) || sum < BigInt(Number.MIN_SAFE_INTEGER)) throw tooLarge();
  return Number(sum);
};
