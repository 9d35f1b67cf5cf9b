import type { Random } from '../../random/random.js';
import { shuffle } from '../../random/shuffle.js';
import type { WeightedAnswers } from './multiplicative-weights.js';

/** A noisy answer to fit: the proportion of records in one cell of a marginal. */
export interface MeasuredCell {
  /** Number of the marginal in the plan. */
  readonly marginal: number;
  readonly cell: number;
  /** From 0 to 1. */
  readonly proportion: number;
}

/**
 * The multiplicative update of PMW-Pub (Algorithm 1): A(x) ~ A(x) exp(q(x) (a - q(A)) / 2), for the newest measurement, the last one,
 * and with `replay` for each earlier one whose error is at least half of the newest's, all in random order (C.3). Errors are those
 * of the sums as they are, so they must be fresh; each update uses the weights of its moment. Returns how many were made.
 */
export const updateWeights = (
  answers: WeightedAnswers,
  measured: readonly MeasuredCell[],
  random: Random,
  replay = true,
): number => {
  const newest = measured.length - 1;
  const { mass } = answers;
  const errors = measured.map(({ marginal, cell, proportion }) =>
    Math.abs(answers.sumOf(marginal, cell) / mass - proportion),
  );
  const due = replay ? [...measured.keys()].filter((i) => errors[i] >= errors[newest] / 2) : [newest];
  for (const i of shuffle(due, random)) {
    const { marginal, cell, proportion } = measured[i];
    const rows = answers.rowsIn(marginal, cell);
    answers.scale(rows, (proportion - answers.weightOf(rows) / answers.mass) / 2);
  }
  return due.length;
};
