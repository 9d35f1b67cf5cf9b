import { indexOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Running } from '../../domain/running.js';
import { reweighted, type Support } from '../../model/support/support.js';
import type { Measurement } from '../../privacy/measurement.js';
import { divergence } from '../ide/distances.js';
import { type Joint, jointOf } from '../ide/joints.js';
import { type PartialWorkload, partialWorkloads } from '../ide/workloads.js';
import { estimateTotal } from '../total/estimate-total.js';
import { type Counting, leastDivergence } from './dual.js';
import { nearestFace } from './programme.js';

/** How large a problem the exact estimate may take on. */
export interface TwoStageOptions extends Running {
  /** Number of records; by default estimated from the measurements. */
  readonly total?: number | undefined;
  /** Answers at most, 1,000 by default: the second stage solves dense systems of that size. */
  readonly maxAnswers?: number | undefined;
  /** Entries of the workload's matrix at most, 1,000,000 by default: the size of the linear programme. */
  readonly maxEntries?: number | undefined;
}

/** The exact two-stage estimate and the distances it reached. */
export interface TwoStageResult {
  readonly support: Support;
  readonly total: number;
  /** The least L1 distance from the measured answers, as proportions; answers that no row counts are included. */
  readonly residual: number;
  /** KL(q || p), in natural logarithms. */
  readonly divergence: number;
  /** How far the second stage is from the first one's answers, in L1. */
  readonly gap: number;
  readonly size: { readonly rows: number; readonly answers: number; readonly entries: number };
}

/**
 * The exact two-stage estimate (Tao, Bater, Machanavajjhala 2021, sections 3.1 and 3.2): of all distributions over the public
 * rows whose answers are nearest in L1 to the measured ones, the one of least KL divergence from the public prior. For small
 * problems and as the yardstick of `ide`; says how large the problem is, and refuses it above the limits.
 */
export const estimateTwoStage = async (
  support: Support,
  measurements: readonly Measurement[],
  options: TwoStageOptions = {},
): Promise<TwoStageResult> => {
  const { maxAnswers = 1000, maxEntries = 1_000_000, onProgress, signal } = options;
  const total = options.total ?? estimateTotal(measurements);
  const workloads = partialWorkloads(measurements, support.domain);
  const measured = workloads.reduce((sum, { answers }) => sum + answers.length, 0);
  // Rows that agree on every measured attribute share one multiplier: they are one row of the problem.
  const joint = jointOf(support, [...new Set(workloads.flatMap(({ attributes }) => attributes))]);
  const size = { rows: joint.length, answers: measured, entries: joint.length * workloads.length };
  if (size.answers > maxAnswers || size.entries > maxEntries)
    throw new InputError(
      `two-stage: may have ${maxAnswers} answers and ${maxEntries} matrix entries (rows x partial workloads), ` +
        `got ${size.answers} and ${size.entries}; measure less, raise the limits, or use ide`,
    );
  const prior = new Float64Array(joint.length);
  for (let row = 0; row < support.length; row++) prior[joint.index[row]] += support.weights[row];
  const { counting, target, rest } = problemOf(support, joint, prior, workloads, measurements, total);

  onProgress?.({ stage: 'two-stage', done: 0, total: 2 });
  signal?.throwIfAborted();
  const { distance, constraints, excluded } = await nearestFace(counting, target);
  onProgress?.({ stage: 'two-stage', done: 1, total: 2 });
  signal?.throwIfAborted();
  const start = prior.filter((weight) => weight > 0).map((weight, j) => (excluded[j] ? 0 : weight));
  const { weights, residual: gap } = leastDivergence(start, counting, constraints);
  onProgress?.({ stage: 'two-stage', done: 2, total: 2 });

  let next = 0;
  const ratio = prior.map((weight) => (weight > 0 ? weights[next++] / weight : 0));
  const result = reweighted(
    support,
    support.weights.map((weight, row) => weight * ratio[joint.index[row]]),
  );
  return {
    support: result,
    total,
    residual: distance + rest,
    divergence: divergence(result.weights, support.weights),
    gap,
    size,
  };
};

/** The combinations with prior weight and the answers that any of them is counted in; `rest` is the L1 norm of the others. */
const problemOf = (
  support: Support,
  joint: Joint,
  prior: Float64Array,
  workloads: readonly PartialWorkload[],
  measurements: readonly Measurement[],
  total: number,
): { counting: Counting; target: Float64Array; rest: number } => {
  const kept = Uint32Array.from(prior.keys()).filter((j) => prior[j] > 0);
  const lists: number[][] = Array.from(kept, () => []);
  const target: number[] = [];
  let rest = 0;
  for (const { measurement, attributes, answers, memberOf } of workloads) {
    const columns = attributes.map((name) => ({
      size: support.domain.attributes[indexOf(support.domain, name)].size,
      codes: joint.columns[joint.attributes.indexOf(name)],
    }));
    const numbers = new Map<number, number>();
    kept.forEach((combination, j) => {
      let cell = 0;
      for (const { size, codes } of columns) cell = cell * size + codes[combination];
      const answer = memberOf[cell];
      if (answer === answers.length) return;
      let number = numbers.get(answer);
      if (number === undefined) {
        number = target.push(measurements[measurement].values[answers[answer]] / total) - 1;
        numbers.set(answer, number);
      }
      lists[j].push(number);
    });
    answers.forEach((position, answer) => {
      if (!numbers.has(answer)) rest += Math.abs(measurements[measurement].values[position] / total);
    });
  }
  const starts = new Uint32Array(kept.length + 1);
  lists.forEach((list, j) => {
    starts[j + 1] = starts[j] + list.length;
  });
  return {
    counting: { rows: kept.length, starts, answers: Uint32Array.from(lists.flat()) },
    target: Float64Array.from(target),
    rest,
  };
};
