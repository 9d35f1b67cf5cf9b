import type { Entropy } from '../entropy.js';
import { type Rational, rational } from '../rational.js';
import { addBigNoise, addNoise, checkCounts } from './add-noise.js';
import type { Law } from './block-sampler.js';
import { referenceGaussian } from './reference.js';
import { cachedSampler } from './sampler-cache.js';

/** The law of discrete Gaussian noise: exp(-x^2 d / (2 n)) for sigma^2 = n / d. */
export const gaussianLaw = (sigmaSquared: Rational): Law => {
  const { numerator, denominator } = rational(sigmaSquared.numerator, sigmaSquared.denominator);
  return { square: denominator, linear: 0n, over: 2n * numerator };
};

/**
 * Adds to each count an independent integer x drawn with chance proportional to exp(-x^2 / (2 sigma^2)), exactly. Counts of L2
 * sensitivity S then satisfy S^2 / (2 sigma^2)-zCDP.
 *
 * Takes whole counts below 2^53 in size and returns such, in a new array; refuses others, and noisy counts that would not be. Tens
 * of nanoseconds a count while sigma^2 has a numerator up to 2^39, a few microseconds beyond; the law is the same.
 */
export const discreteGaussian = (counts: Float64Array, sigmaSquared: Rational, entropy: Entropy): Float64Array => {
  checkCounts(counts);
  const sampler = cachedSampler(gaussianLaw(sigmaSquared));
  return counts.map(
    sampler === undefined
      ? (count) => addBigNoise(count, referenceGaussian(sigmaSquared, entropy))
      : (count) => addNoise(count, sampler(entropy)),
  );
};
