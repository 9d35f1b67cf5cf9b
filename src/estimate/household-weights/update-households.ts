import type { Random } from '../../random/random.js';
import { shuffle } from '../../random/shuffle.js';
import type { AnswerPlace, HouseholdWeights } from './household-weights.js';

/** A noisy answer to fit. */
export interface MeasuredAnswer extends AnswerPlace {
  /** What q^ should be: the answer for each household, persons divided by M; from 0 to 1. */
  readonly target: number;
}

/**
 * The update of "Towards Differentially Private Query Release for Hierarchical Data", Algorithm 2, over all that was measured so far: of the `most` answers with
 * the largest errors those with at least half of the largest one, in random order, A(x) ~ A(x) exp(q^(x) (m - q^(A)) / 2), each with
 * the weights of its moment. Returns how many were made.
 */
export const updateHouseholds = (
  weights: HouseholdWeights,
  measured: readonly MeasuredAnswer[],
  most: number,
  random: Random,
): number => {
  const errors = measured.map((answer) => Math.abs(answer.target - weights.scaled(answer)));
  const top = [...measured.keys()].sort((a, b) => errors[b] - errors[a]).slice(0, most);
  const due = top.filter((t) => errors[t] >= errors[top[0]] / 2);
  for (const t of shuffle(due, random))
    weights.tilt(measured[t], (measured[t].target - weights.scaled(measured[t])) / 2);
  return due.length;
};
