import type { Measurement } from '../../../privacy/measurement.js';
import { attributesOf } from '../../../query/answer.js';
import { varianceOf } from '../../total/estimate-total.js';
import type { GraphicalPrior } from './prior.js';

/**
 * How far a prior is from measured marginals: the total variation distance of each, less what noise of this size alone would be
 * expected to add, averaged. From 0 (the noise explains it all) to 1.
 */
export const priorDistance = ({ model }: GraphicalPrior, marginals: readonly Measurement[], total: number): number => {
  const distances = marginals.map((measurement) => {
    const { query, values } = measurement;
    const expected = model.marginal(attributesOf(query));
    const noise = Math.sqrt((2 / Math.PI) * varianceOf(measurement)) / total;
    let distance = 0;
    for (let cell = 0; cell < values.length; cell++)
      distance += Math.abs(values[cell] / total - expected[cell] / model.total) - noise;
    return Math.min(1, Math.max(0, distance / 2));
  });
  return distances.reduce((sum, distance) => sum + distance, 0) / Math.max(1, distances.length);
};
