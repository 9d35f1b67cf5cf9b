import type { Noise } from './measurement.js';

/** The expected absolute size of the noise in one answer, in records: how far from the truth it is on average. */
export const expectedError = ({ kind, scale }: Noise): number => {
  if (kind === 'none' || scale === 0) return 0;
  // Discrete Laplace: 2 p / (1 - p^2) with p = exp(-1/b).
  if (kind === 'laplace') return 1 / Math.sinh(1 / scale);
  // Discrete Gaussian: as good as the continuous one from a standard deviation of a few records on; below, by its sum.
  if (scale > 8) return scale * Math.sqrt(2 / Math.PI);
  let [mass, sum] = [1, 0];
  for (let k = 1; k < 12 * scale + 12; k++) {
    const weight = 2 * Math.exp(-(k * k) / (2 * scale * scale));
    mass += weight;
    sum += k * weight;
  }
  return sum / mass;
};
