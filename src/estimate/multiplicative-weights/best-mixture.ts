import type { Running } from '../../domain/running.js';
import type { Support } from '../../model/support/support.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import { solveMixture } from '../../privacy/answers/solve-mixture.js';
import type { Marginal } from '../../query/marginal.js';
import { rowCells } from '../../query/mixture.js';
import type { Random } from '../../random/random.js';
import { type WeightedAnswers, weightedAnswers } from './multiplicative-weights.js';
import { type MarginalPlan, planMarginals } from './plan.js';
import { type MeasuredCell, updateWeights } from './update.js';

/** How well the best weighting of a support can answer a workload. All errors are proportions. */
export interface MixtureError {
  /** Largest error of the weighting found. */
  readonly error: number;
  /** No weighting has a smaller largest error than this. */
  readonly bound: number;
  /** The weighting found, with sum 1. */
  readonly weights: Float64Array;
  readonly method: 'linear programme' | 'multiplicative weights';
}

/** How long to look for the best mixture. */
export interface BestMixtureOptions extends Threads, Running {
  /** Orders replayed updates. */
  readonly random: Random;
  /** Rows x marginals up to which the linear programme is solved; 20,000 by default. */
  readonly exactBelow?: number | undefined;
  /** Rounds without a gain of a hundredth after which multiplicative weights stop; 50 by default. */
  readonly patience?: number | undefined;
  /** Rounds at most, 2,000 by default. */
  readonly rounds?: number | undefined;
  readonly plan?: MarginalPlan | undefined;
}

/**
 * Best mixture error (PMW-Pub, Definition 2.1) of a support for given answers, which must be public or the caller's to look at: a
 * session has its own for private ones. `answers` hold the proportions of all cells of each marginal.
 *
 * Small problems are solved exactly. Larger ones by multiplicative weights without noise on the worst cell of each round, with
 * replay, stopped when the largest error no longer falls (section 3.1); the cells it was played against, weighted by their
 * errors, bound from below what any weighting can reach.
 */
export const bestMixture = async (
  support: Support,
  marginals: readonly Marginal[],
  answers: readonly Float64Array[],
  options: BestMixtureOptions,
): Promise<MixtureError> => {
  const { exactBelow = 20_000 } = options;
  if (support.length * marginals.length > exactBelow) return byRounds(support, marginals, answers, options);
  const cells = rowCells(support, marginals);
  const all = new Float64Array(cells.count);
  let start = 0;
  for (const values of answers) {
    all.set(values, start);
    start += values.length;
  }
  const { error, gap, weights } = await solveMixture(cells, all, 1);
  return { error, bound: error - gap, weights, method: 'linear programme' };
};

const byRounds = async (
  support: Support,
  marginals: readonly Marginal[],
  answers: readonly Float64Array[],
  options: BestMixtureOptions,
): Promise<MixtureError> => {
  const { random, patience = 50, rounds = 2000, signal, onProgress } = options;
  const plan =
    options.plan ??
    planMarginals(
      support,
      marginals.map(({ attributes }) => attributes),
    );
  const weighted = await weightedAnswers(plan, options);
  try {
    const played: MeasuredCell[] = [];
    let best = { error: Number.POSITIVE_INFINITY, weights: support.weights };
    let bound = largestUnserved(answers, plan);
    let waited = 0;
    let gained = Number.POSITIVE_INFINITY;
    /** Sums of multipliers over the rounds: of the rows, of the answers, and in all. */
    const pushes = new Float64Array(support.length);
    let value = 0;
    let weight = 0;
    for (let round = 0; round < rounds && waited < patience; round++) {
      signal?.throwIfAborted();
      await weighted.refresh();
      const worst = worstCell(answers, weighted);
      if (worst.error < best.error) best = { error: worst.error, weights: weighted.distribution() };
      if (best.error < 0.99 * gained) {
        gained = best.error;
        waited = 0;
      } else waited++;
      if (worst.error === 0) break;
      // Weak duality: any signed combination y of cells with |y|_1 = 1 gives y(D) - max over rows of y(row) <= best error.
      const rows = weighted.rowsIn(worst.marginal, worst.cell);
      const push = Math.sign(worst.gap) * worst.error;
      for (const row of rows.view) pushes[row] += push;
      value += push * answers[worst.marginal][worst.cell];
      weight += worst.error;
      bound = Math.max(bound, (value - pushes.reduce((most, sum) => Math.max(most, sum), -Infinity)) / weight);
      // The newest comes last; a cell that was played before need not be listed twice.
      const { marginal, cell } = worst;
      const at = played.findIndex((one) => one.marginal === marginal && one.cell === cell);
      if (at >= 0) played.splice(at, 1);
      played.push({ marginal, cell, proportion: answers[marginal][cell] });
      updateWeights(weighted, played, random);
      onProgress?.({ stage: 'best mixture', done: round + 1, total: rounds });
    }
    return { ...best, bound: Math.min(bound, best.error), method: 'multiplicative weights' };
  } finally {
    weighted.close();
  }
};

/** The largest answer of a cell that no row falls into: an error that no weighting can lessen. */
const largestUnserved = (answers: readonly Float64Array[], { held }: MarginalPlan): number => {
  let largest = 0;
  for (const [marginal, values] of answers.entries()) {
    const own = held[marginal];
    for (let cell = 0, i = 0; cell < values.length; cell++)
      if (i < own.length && own[i] === cell) i++;
      else if (values[cell] > largest) largest = values[cell];
  }
  return largest;
};

/** The cell with the largest error. */
const worstCell = (answers: readonly Float64Array[], weighted: WeightedAnswers) => {
  const { mass, plan } = weighted;
  let worst = { marginal: 0, cell: 0, error: 0, gap: 0 };
  for (const [marginal, values] of answers.entries()) {
    const own = plan.held[marginal];
    const sums = weighted.sums(marginal);
    for (let cell = 0, i = 0; cell < values.length; cell++) {
      const gap = i < own.length && own[i] === cell ? values[cell] - sums[i++] / mass : values[cell];
      if (gap > worst.error || -gap > worst.error) worst = { marginal, cell, error: Math.abs(gap), gap };
    }
  }
  return worst;
};
