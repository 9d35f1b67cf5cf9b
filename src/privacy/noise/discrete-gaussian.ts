import type { Entropy } from '../entropy.js';
import type { Rational } from '../rational.js';
import { addBigNoise, checkCounts } from './add-noise.js';
import { referenceGaussian } from './reference.js';

/**
 * Adds to each count an independent integer x drawn with chance proportional to exp(-x^2 / (2 sigma^2)), exactly. Counts of L2
 * sensitivity S then satisfy S^2 / (2 sigma^2)-zCDP.
 */
export const discreteGaussian = (counts: Float64Array, sigmaSquared: Rational, entropy: Entropy): Float64Array => {
  checkCounts(counts);
  return counts.map((count) => addBigNoise(count, referenceGaussian(sigmaSquared, entropy)));
};
