import type { Entropy } from './entropy.js';
import { noisyContrasts } from './noise/contrasts.js';
import { type NoiseName, noiseKinds } from './noise/noise-kinds.js';
import { type Rational, rational } from './rational.js';
import { exponentialDraws } from './selection/exponential-draws.js';
import type { Unscored } from './selection/score-grid.js';
import { type SelectionMechanism, selectionKinds } from './selection/selection-kinds.js';

/** The only functions that see exact counts or scores and whose results leave a session. */
export interface Primitives {
  /** The counts with noise of this kind and parameter. */
  addNoise(kind: NoiseName, counts: Float64Array, parameter: Rational): Float64Array;
  /** The contrasts of a marginal over attributes of these sizes, with Gaussian noise of this parameter on its counts: integers, on a grid of 1/cells. */
  contrasts(counts: Float64Array, sizes: readonly number[], sigmaSquared: Rational): Float64Array;
  /** The number of a candidate. Scores and their sensitivity are integers. */
  choose(mechanism: SelectionMechanism, scores: Scores, sensitivity: number, epsilon: Rational): number;
  /** The positions that so many independent draws of the exponential mechanism fall on, with this epsilon each. */
  draw(scores: Float64Array, sensitivity: number, epsilon: Rational, draws: number): Float64Array;
  /** Adds Gaussian noise of this parameter to the counts of values that are offered, and keeps those that reach the threshold. */
  passer(sigmaSquared: Rational, threshold: number): Passer;
}

/** A value of a column that reached a threshold, with its noisy count. */
export interface Passed {
  readonly column: number;
  readonly text: string;
  readonly count: number;
}

/** Values one by one, each offered once; of those that do not pass nothing is kept, not even their number. */
export interface Passer {
  offer(column: number, text: string, count: number): void;
  /** Those that passed, by column and in the order of their texts. */
  finish(): readonly Passed[];
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

/** Scores are integers: the grid is 1, and adds 1 to their sensitivity. */
const optionsOf = (sensitivity: number, epsilon: Rational) => ({
  epsilon,
  sensitivity: rational(sensitivity),
  grid: rational(1),
});

/** The exact primitives on the given randomness. */
export const exactPrimitives = (entropy: Entropy): Primitives => ({
  addNoise: (kind, counts, parameter) => noiseKinds[kind].add(counts, parameter, entropy),
  contrasts: (counts, sizes, sigmaSquared) => noisyContrasts(counts, sizes, sigmaSquared, entropy),
  choose: (mechanism, scores, sensitivity, epsilon) => {
    const options = optionsOf(sensitivity, epsilon);
    return scores.numberAt(selectionKinds[mechanism].select(scores.single, options, entropy, scores.unscored));
  },
  draw: (scores, sensitivity, epsilon, draws) =>
    exponentialDraws(scores, optionsOf(sensitivity, epsilon), draws, entropy),
  passer: (sigmaSquared, threshold) => {
    const passed: Passed[] = [];
    return {
      offer: (column, text, exact) => {
        const [count] = noiseKinds.gaussian.add(Float64Array.of(exact), sigmaSquared, entropy);
        if (count >= threshold) passed.push({ column, text, count });
      },
      finish: () => passed.toSorted((a, b) => a.column - b.column || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)),
    };
  },
});
