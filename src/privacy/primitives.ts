import type { Entropy } from './entropy.js';
import { discreteGaussian } from './noise/discrete-gaussian.js';
import { discreteLaplace } from './noise/discrete-laplace.js';
import { type Rational, rational } from './rational.js';
import { exponentialMechanism } from './selection/exponential-mechanism.js';
import { permuteAndFlip } from './selection/permute-and-flip.js';
import type { SelectionMechanism } from './session.js';

/** The only functions that see exact counts or scores and whose results leave a session. */
export interface Primitives {
  gaussian(counts: Float64Array, sigmaSquared: Rational): Float64Array;
  laplace(counts: Float64Array, scale: Rational): Float64Array;
  /** Scores and their sensitivity are integers. */
  choose(mechanism: SelectionMechanism, scores: Float64Array, sensitivity: number, epsilon: Rational): number;
}

/** The exact primitives on the given randomness. */
export const exactPrimitives = (entropy: Entropy): Primitives => ({
  gaussian: (counts, sigmaSquared) => discreteGaussian(counts, sigmaSquared, entropy),
  laplace: (counts, scale) => discreteLaplace(counts, scale, entropy),
  choose: (mechanism, scores, sensitivity, epsilon) => {
    const select = mechanism === 'exponential' ? exponentialMechanism : permuteAndFlip;
    return select(scores, { epsilon, sensitivity: rational(sensitivity), grid: rational(1) }, entropy);
  },
});
