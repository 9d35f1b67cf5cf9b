import type { Noise } from './measurement.js';
import { noiseKinds } from './noise/noise-kinds.js';

/** The expected absolute size of the noise in one answer, in records: how far from the truth it is on average. */
export const expectedError = ({ kind, scale }: Noise): number =>
  kind === 'none' ? 0 : noiseKinds[kind].expectedError(scale);
