import type { Query } from '../query/query.js';
import type { NoiseName } from './noise/noise-kinds.js';

/** Noise that was added to every answer of a query. Integer noise: the discrete law of this scale. */
export interface Noise {
  /** `none` for an answer that was public. */
  readonly kind: NoiseName | 'none';
  /** Gaussian: standard deviation; Laplace: scale b; 0 for an answer that was public. In records. */
  readonly scale: number;
}

/** Noisy answers of one query: what estimation sees, and all it ever sees of the private table. */
export interface Measurement {
  readonly query: Query;
  /** Row-major as the query says; integers, possibly negative, except for a residual, whose contrasts times its cells are. */
  readonly values: Float64Array;
  readonly noise: Noise;
}

/** A noisy largest error, in records: a statistic of many answers at once. */
export interface NoisyError {
  /** A multiple of 1/256, possibly negative. */
  readonly value: number;
  readonly noise: Noise;
}
