import type { Entropy } from '../entropy.js';
import type { Rational } from '../rational.js';
import { addBigNoise, checkCounts } from './add-noise.js';
import { referenceLaplace } from './reference.js';

/**
 * Adds to each count an independent integer x drawn with chance proportional to exp(-|x| / scale), exactly. Counts of L1
 * sensitivity S are then (S / scale)-differentially private.
 */
export const discreteLaplace = (counts: Float64Array, scale: Rational, entropy: Entropy): Float64Array => {
  checkCounts(counts);
  return counts.map((count) => addBigNoise(count, referenceLaplace(scale, entropy)));
};
