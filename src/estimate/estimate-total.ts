import { InputError } from '../domain/input-error.js';
import type { Measurement } from '../privacy/measurement.js';

/** Variance of one noisy answer. */
export const varianceOf = ({ noise }: Measurement): number =>
  noise.kind === 'laplace' ? 2 * noise.scale ** 2 : noise.scale ** 2;

/**
 * The number of records that the measured marginals agree on best: the mean of their sums weighted by inverse variance
 * (Private-PGM, E.1, for marginals). At least 1, so that proportions make sense.
 */
export const estimateTotal = (measurements: readonly Measurement[]): number => {
  let weight = 0;
  let weighted = 0;
  for (const measurement of measurements) {
    if (measurement.query.kind !== 'marginal') continue;
    const sum = measurement.values.reduce((total, value) => total + value, 0);
    const variance = measurement.values.length * varianceOf(measurement);
    if (variance === 0) return Math.max(1, sum);
    weight += 1 / variance;
    weighted += sum / variance;
  }
  if (weight === 0)
    throw new InputError('total: must follow from a measured marginal, got none; measure one, or give the total');
  return Math.max(1, weighted / weight);
};
