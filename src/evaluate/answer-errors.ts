import { InputError } from '../domain/input-error.js';
import { atOnce, type Turns } from '../domain/turns.js';
import type { Answering } from '../model/model.js';
import { marginal } from '../query/marginal.js';

/** Errors of a model's answers, as proportions of the records. */
export interface AnswerErrors {
  /** Largest error of a single cell: the max error of PMW-Pub. */
  readonly largest: number;
  /** Mean absolute error of a cell, over all cells of all marginals. */
  readonly mean: number;
  /** Mean over the marginals of their total variation distance: half of the L1 distance. */
  readonly variation: number;
}

/** A marginal with the counts to compare with: public ones, or in a laboratory the private truth. */
export interface GivenMarginal {
  readonly attributes: readonly string[];
  /** Row-major over the cells, in records or in proportions: they are normalised. */
  readonly counts: Float64Array;
}

/** How far a model is from given marginals, both as proportions. One evaluation of each marginal. */
export const answerErrors = (
  model: Pick<Answering, 'total' | 'answer'>,
  given: readonly GivenMarginal[],
): AnswerErrors => atOnce(judging(model, given));

/** The same in turns. */
export function* judging(
  model: Pick<Answering, 'total' | 'answer'>,
  given: readonly GivenMarginal[],
): Turns<AnswerErrors> {
  if (given.length === 0) throw new InputError('errors: need at least one marginal to compare with, got none');
  let largest = 0;
  let sum = 0;
  let cells = 0;
  let variation = 0;
  for (const { attributes, counts } of given) {
    yield;
    const expected = model.answer(marginal(...attributes));
    const total = counts.reduce((all, count) => all + count, 0);
    let distance = 0;
    for (let cell = 0; cell < counts.length; cell++) {
      const error = Math.abs(expected[cell] / model.total - counts[cell] / total);
      distance += error;
      largest = Math.max(largest, error);
    }
    sum += distance;
    cells += counts.length;
    variation += distance / 2;
  }
  return { largest, mean: sum / cells, variation: variation / given.length };
}
