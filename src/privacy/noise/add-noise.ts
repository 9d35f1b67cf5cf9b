import { InputError } from '../../domain/input-error.js';

/** The counts themselves; refuses any that is not a safe integer, and says where, never what. */
export const wholeCounts = (counts: Float64Array): Float64Array => {
  for (let i = 0; i < counts.length; i++)
    if (!Number.isSafeInteger(counts[i]))
      throw new InputError(
        `counts: must be whole numbers below 2^53 in size, got another value at position ${i}; noise is drawn for exact counts only`,
      );
  return counts;
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
export const addNoise = (count: number, noise: number): number => {
  const sum = count + noise;
  if (!Number.isSafeInteger(sum)) throw tooLarge();
  // Turns -0 into 0.
  return sum + 0;
};

/** `addNoise` for noise of any size. */
export const addBigNoise = (count: number, noise: bigint): number => {
  const sum = BigInt(count) + noise;
  if (sum > BigInt(Number.MAX_SAFE_INTEGER) || sum < BigInt(Number.MIN_SAFE_INTEGER)) throw tooLarge();
  return Number(sum);
};
