import { varianceOf } from '../../estimate/total/estimate-total.js';
import type { Measurement } from '../../privacy/measurement.js';

/**
 * All that was measured with noise, each query once: answers of the same query are averaged with the inverse of their variances for weights, which
 * loses nothing that least squares would use. The average of two noises is taken for one of their kind with its variance.
 */
export const together = (measurements: readonly Measurement[]): Measurement[] => {
  const found = new Map<string, Measurement>();
  for (const measurement of measurements) {
    const { query, values, noise } = measurement;
    if (noise.kind === 'none') continue;
    const key = JSON.stringify(query);
    const known = found.get(key);
    if (known === undefined) {
      found.set(key, measurement);
      continue;
    }
    // Scales of one kind are in proportion to standard deviations.
    const part = varianceOf(known) / (varianceOf(measurement) + varianceOf(known));
    found.set(key, {
      query,
      values: values.map((value, i) => part * value + (1 - part) * known.values[i]),
      noise: { kind: noise.kind, scale: noise.scale * Math.sqrt(part) },
    });
  }
  return [...found.values()];
};
