import type { Entropy } from './entropy.js';
import { discreteGaussian } from './noise/discrete-gaussian.js';
import { discreteLaplace } from './noise/discrete-laplace.js';
import { type Rational, rational } from './rational.js';
import { exponentialMechanism } from './selection/exponential-mechanism.js';
import { permuteAndFlip } from './selection/permute-and-flip.js';
import type { Unscored } from './selection/score-grid.js';
import type { SelectionMechanism } from './session/session.js';

/** The only functions that see exact counts or scores and whose results leave a session. */
export interface Primitives {
  gaussian(counts: Float64Array, sigmaSquared: Rational): Float64Array;
  laplace(counts: Float64Array, scale: Rational): Float64Array;
  /** The number of a candidate. Scores and their sensitivity are integers. */
  choose(mechanism: SelectionMechanism, scores: Scores, sensitivity: number, epsilon: Rational): number;
}

/** The scores of all candidates: single ones, and groups that are not scored one by one. Who is in a group is as private as the scores. */
export interface Scores {
  readonly single: Float64Array;
  readonly unscored: readonly Unscored[];
  /**
   * The number of the candidate at a position: that of a single score, and behind those all members of the unscored groups in order. Numbers
   * are public, and each candidate has one position: so what is selected has the law of the scores, however they are put together.
   */
  numberAt(position: number): number;
}

/** The exact primitives on the given randomness. */
export const exactPrimitives = (entropy: Entropy): Primitives => ({
  gaussian: (counts, sigmaSquared) => discreteGaussian(counts, sigmaSquared, entropy),
  laplace: (counts, scale) => discreteLaplace(counts, scale, entropy),
  choose: (mechanism, scores, sensitivity, epsilon) => {
    const select = mechanism === 'exponential' ? exponentialMechanism : permuteAndFlip;
    const options = { epsilon, sensitivity: rational(sensitivity), grid: rational(1) };
    return scores.numberAt(select(scores.single, options, entropy, scores.unscored));
  },
});
