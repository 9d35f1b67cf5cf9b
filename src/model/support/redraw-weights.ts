import { normal } from '../../random/normal.js';
import type { Random } from '../../random/random.js';
import { uniform } from '../../random/uniform.js';
import { reweighted, type Support } from './support.js';

/**
 * The public rows as another sample of the same kind might have weighted them (the Bayesian bootstrap, Rubin 1981): each record's weight is
 * drawn from the exponential law. A row of the least weight counts as one record unless the support says otherwise. No row vanishes, as it
 * would in a sample.
 */
export const redrawSupport = (support: Support, random: Random): Support =>
  reweighted(support, redrawWeights(support.weights, random, support.seen?.record));

/** The same for weights of whatever things, of which those of the least weight count as one unless told; their sum is another. */
export const redrawWeights = (weights: Float64Array, random: Random, record?: number): Float64Array => {
  const least = record ?? weights.reduce((min, weight) => (weight > 0 && weight < min ? weight : min), 1);
  return weights.map((weight) => (weight > 0 ? exponentials(weight / least, random) : 0));
};

/** The sum of `count` exponential draws, to the nearest whole count; of many, from the normal law. */
const exponentials = (count: number, random: Random): number => {
  if (count > 50) return Math.max(1e-9, count + Math.sqrt(count) * normal(random));
  if (count < 0.5) return Math.max(1e-9, -count * Math.log(1 - uniform(random)));
  let sum = 0;
  for (let i = 0; i < Math.round(count); i++) sum -= Math.log(1 - uniform(random));
  return Math.max(1e-9, sum);
};
