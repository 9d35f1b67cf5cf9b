import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Measurement } from '../../privacy/measurement.js';
import { noiseKinds } from '../../privacy/noise/noise-kinds.js';
import { factorsOf } from '../../query/factors.js';
import { queryOnesWeights } from './total-weights.js';

/** Variance of one noisy answer. */
export const varianceOf = ({ noise }: Pick<Measurement, 'noise'>): number =>
  noise.kind === 'none' ? 0 : noiseKinds[noise.kind].variance(noise.scale);

/** A number of records that one measurement tells, with its variance; undefined when it tells none. */
const totalFrom = (measurement: Measurement, domain?: Domain): { sum: number; variance: number } | undefined => {
  const { query, values } = measurement;
  const own = varianceOf(measurement);
  if (query.kind === 'marginal')
    return { sum: values.reduce((total, value) => total + value, 0), variance: values.length * own };
  const weights = domain && queryOnesWeights(factorsOf(query, domain));
  if (weights === undefined) return undefined;
  let sum = 0;
  let square = 0;
  weights.forEach((weight, row) => {
    sum += weight * values[row];
    square += weight ** 2;
  });
  return { sum, variance: square * own };
};

/**
 * The number of records that the measurements agree on best: the mean, weighted by inverse variance, of what each of them says
 * whose rows span the all-ones vector (Private-PGM, E.1). Factored queries count when the domain is given. At least 1, so that
 * proportions make sense.
 */
export const estimateTotal = (measurements: readonly Measurement[], domain?: Domain): number => {
  let weight = 0;
  let weighted = 0;
  for (const measurement of measurements) {
    const told = totalFrom(measurement, domain);
    if (told === undefined) continue;
    if (told.variance === 0) return Math.max(1, told.sum);
    weight += 1 / told.variance;
    weighted += told.sum / told.variance;
  }
  if (weight === 0)
    throw new InputError(
      'total: must follow from a measured marginal or another query that counts every record, got none; measure one, or give the total',
    );
  return Math.max(1, weighted / weight);
};
