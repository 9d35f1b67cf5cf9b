import { codesAt } from '../../domain/cell-index.js';
import { sizesOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Running } from '../../domain/running.js';
import { type WeightedAnswers, weightedAnswers } from '../../estimate/multiplicative-weights/multiplicative-weights.js';
import { type MarginalPlan, planMarginals } from '../../estimate/multiplicative-weights/plan.js';
import { type MeasuredCell, updateWeights } from '../../estimate/multiplicative-weights/update.js';
import type { Model } from '../../model/model.js';
import { redrawSupport } from '../../model/support/redraw-weights.js';
import { reweighted, type Support } from '../../model/support/support.js';
import { supportModel } from '../../model/support/support-model.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import { nameCells } from '../../privacy/answers/named-cells.js';
import type { Measurement, Noise } from '../../privacy/measurement.js';
import type { SelectionMechanism } from '../../privacy/selection/selection-kinds.js';
import type { Session, Share } from '../../privacy/session/session.js';
import type { Marginal } from '../../query/marginal.js';
import type { FactoredQuery } from '../../query/query.js';
import type { Workload } from '../../query/workload/workload.js';
import type { Random } from '../../random/random.js';
import { marginalsOf } from '../marginals-of.js';
import type { Released } from '../released.js';

/** What is known when the number of rounds is chosen: public and noisy things. */
export interface RoundsKnown {
  /** The number of records, noisy where it is private. */
  readonly records: number;
  /** The number of rounds by `defaultRounds`. */
  readonly formula: number;
  /** The noise on a cell with so many rounds. */
  readonly noise: (rounds: number) => Noise;
}

/** How many rounds, and what each selects and measures. */
export interface MultiplicativeWeightsOptions extends Threads, Running {
  /** Orders the replayed updates: post-processing, so any generator will do. */
  readonly random: Random;
  /** Number of rounds T, or a way to find it; by default from the noisy total, the budget and the workload (`defaultRounds`). */
  readonly rounds?: number | ((known: RoundsKnown) => Promise<number>) | undefined;
  /** How a round's cell is selected; the exponential mechanism by default, which buys twice the epsilon in zCDP. */
  readonly selection?: SelectionMechanism | undefined;
  /** Share of the session's budget for the number of records, where that is private; 0.02 by default (`defaultTotalShare`). */
  readonly totalShare?: Share | undefined;
  /** The number of records, when it is known or was measured before. */
  readonly total?: number | undefined;
  /** Share of the session's budget for all rounds together; all that remains by default. */
  readonly share?: Share | undefined;
  /** The last distribution by default (B.1.4), or the average of those before each update (Algorithm 1). */
  readonly output?: 'last' | 'average' | undefined;
  /** Whether earlier measurements that fit badly are used again (C.3); true by default. */
  readonly replay?: boolean | undefined;
  /** The evaluation plan of the same support and workload, when several releases share it. */
  readonly plan?: MarginalPlan | undefined;
}

/** The query that counts one cell of a marginal. */
export const cellQuery = ({ attributes }: Marginal, sizes: readonly number[], cell: number): FactoredQuery => {
  const codes = codesAt(cell, sizes);
  const factors = attributes.map((attribute, i) => ({ attribute, block: { kind: 'value', cell: codes[i] } as const }));
  return { kind: 'factored', factors };
};

/**
 * T = Theta(n epsilon sqrt(log m) / log |Q|), Theorem A.10, between 5 and 300 (the paper's range); the constant is fitted to where the
 * paper's tuning ends up on census tables. `precision` is n over the noise of a cell that gets half of the budget.
 */
export const defaultRounds = (precision: number, rows: number, cells: number): number => {
  const bound = (precision * Math.sqrt(2 * Math.log(Math.max(2, rows)))) / Math.log(Math.max(2, cells));
  return Math.round(Math.min(300, Math.max(5, 0.03 * bound)));
};

/** What the number of records is measured with, where it is private, unless told. */
export const defaultTotalShare: Share = 0.02;

/**
 * Private multiplicative weights over a support, the loop of PMW-Pub's Algorithm 1: each round selects a cell of the workload that
 * the weights answer badly, measures it, and updates the weights. Every private act is the session's; the rest is post-processing.
 */
export const privateMultiplicativeWeights = async (
  session: Session,
  support: Support,
  workload: Workload,
  options: MultiplicativeWeightsOptions,
): Promise<Released> => {
  const { selection = 'exponential', totalShare = defaultTotalShare, output = 'last', replay = true } = options;
  const marginals = marginalsOf(workload);
  const attributes = marginals.map((query) => query.attributes);
  const plan = options.plan ?? planMarginals(support, attributes);
  const cellOf = (m: number, cell: number): FactoredQuery =>
    cellQuery(marginals[m], sizesOf(support.domain, attributes[m]), cell);
  if (typeof options.rounds === 'number' && !(Number.isSafeInteger(options.rounds) && options.rounds >= 1))
    throw new InputError(`rounds: must be a positive whole number, got ${options.rounds}`);
  const answers = await weightedAnswers(plan, options);
  try {
    const counted = options.total === undefined ? [await session.total(totalShare)] : [];
    const total = Math.max(1, options.total ?? counted[0].values[0]);
    const measurements: Measurement[] = [...counted];
    const whole = options.share ?? session.remaining;
    const cells = plan.cells.reduce((sum, count) => sum + count, 0);
    const [half] = session.preview([cellOf(0, 0)], whole / 2);
    const formula = defaultRounds(total / half.scale, support.length, cells);
    const noise = (rounds: number): Noise => session.preview([cellOf(0, 0)], whole / (2 * rounds))[0];
    const rounds = await roundsBy(options.rounds, { records: total, formula, noise });
    const share = whole / (2 * rounds);
    const held = plan.held.map(nameCells);
    const measured: MeasuredCell[] = [];
    const pickAndMeasure = async (round: number): Promise<MeasuredCell> => {
      const scale = total / answers.mass;
      const candidates = marginals.map((query, m) => ({
        query,
        reference: answers.sums(m),
        cells: held[m],
        scale,
        weight: workload.queries[m].weight,
      }));
      const { candidate, cell } = await session.selectCell(candidates, share, { mechanism: selection });
      const [measurement] = await session.measure([cellOf(candidate, cell)], share);
      measurements.push(measurement);
      options.onProgress?.({ stage: 'rounds', done: round + 1, total: rounds });
      measured.push({ marginal: candidate, cell, proportion: proportionOf(measurement, total) });
      return measured[round];
    };
    const how = { ...options, output, replay };
    const { weights, updates } = await playRounds(answers, rounds, pickAndMeasure, how);
    return {
      model: supportModel(reweighted(support, weights), total),
      measurements,
      notes: { rounds, updates, selection, output, total },
      refit: (others, redrawn) => replayRounds(plan, measured, others, { ...how, redrawn }),
    };
  } finally {
    answers.close();
  }
};

/** The number of rounds: as told, as found, or by the formula. */
const roundsBy = async (rounds: MultiplicativeWeightsOptions['rounds'], known: RoundsKnown): Promise<number> =>
  typeof rounds === 'function' ? rounds(known) : (rounds ?? known.formula);

const proportionOf = ({ values }: Measurement, total: number): number => Math.min(1, Math.max(0, values[0] / total));

interface RoundsOptions extends Pick<MultiplicativeWeightsOptions, 'random' | 'signal'> {
  readonly output: 'last' | 'average';
  readonly replay: boolean;
}

/** The rounds, with the cell that each of them brings; gives the weights, whose sum need not be 1, and how often they moved. */
export const playRounds = async (
  answers: WeightedAnswers,
  rounds: number,
  bring: (round: number) => Promise<MeasuredCell> | MeasuredCell,
  { random, replay, output, signal }: RoundsOptions,
): Promise<{ readonly weights: Float64Array; readonly updates: number }> => {
  const measured: MeasuredCell[] = [];
  const sum = new Float64Array(output === 'average' ? answers.plan.support.length : 0);
  let updates = 0;
  for (let round = 0; round < rounds; round++) {
    signal?.throwIfAborted();
    await answers.refresh();
    measured.push(await bring(round));
    if (output === 'average') for (const [row, weight] of answers.distribution().entries()) sum[row] += weight;
    updates += updateWeights(answers, measured, random, replay);
  }
  return { weights: output === 'average' ? sum : answers.distribution(), updates };
};

/** The updates of all rounds with other answers of the cells that were chosen: the choice itself is not made anew. */
const replayRounds = async (
  plan: MarginalPlan,
  chosen: readonly MeasuredCell[],
  measurements: readonly Measurement[],
  options: RoundsOptions & Threads & { readonly total?: number | undefined; readonly redrawn: Random | undefined },
): Promise<Model> => {
  const total = Math.max(1, options.total ?? measurements[0].values[0]);
  const first = measurements.length - chosen.length;
  const answers = await weightedAnswers(plan, options);
  try {
    if (options.redrawn) answers.restart(redrawSupport(plan.support, options.redrawn).weights);
    const again = (round: number): MeasuredCell => ({
      ...chosen[round],
      proportion: proportionOf(measurements[first + round], total),
    });
    const { weights } = await playRounds(answers, chosen.length, again, options);
    return supportModel(reweighted(plan.support, weights), total);
  } finally {
    answers.close();
  }
};
