import { InputError } from '../../domain/input-error.js';
import type { Running } from '../../domain/running.js';
import { reweighted, type Support } from '../../model/support/support.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Random } from '../../random/random.js';
import { shuffle } from '../../random/shuffle.js';
import { estimateTotal } from '../total/estimate-total.js';
import { divergence, l1 } from './distances.js';
import { type IdeFit, type IdeOrder, startIde } from './fit.js';
import { deviationsOf, estimatedRisk, ideProbes } from './risk.js';
import { openIdeRows } from './rows.js';
import { type PartialWorkload, partialWorkloads } from './workloads.js';

/** Epochs at most, unless told. */
export const defaultEpochs = 50;

/** How IDE is run. */
export interface IdeEstimateOptions extends Threads, Running {
  /** For the order of the workloads and for the probes of `validated`: post-processing, so any generator will do. */
  readonly random: Random;
  /** Number of records; by default estimated from the measurements. */
  readonly total?: number | undefined;
  /** Times that every partial workload has its turn, at most; `defaultEpochs` by default. */
  readonly epochs?: number | undefined;
  /** Converged when no update of an epoch moves the answers by more than this in L1; 1e-9 by default. */
  readonly tolerance?: number | undefined;
  /** What an epoch offers: the average over its updates (default), or the last of them, as the paper does. */
  readonly offer?: 'average' | 'last' | undefined;
  /** When to stop: when converged or after all epochs (default), or at the epoch whose estimated risk is least. */
  readonly until?: 'converged' | 'validated' | undefined;
  /** Perturbed runs that estimate the risk under `validated`; 2 by default. */
  readonly probes?: number | undefined;
}

/** The state after an epoch; epoch 0 is the prior. */
export interface IdeEpoch {
  readonly epoch: number;
  /** ||W q - y||_1 over all answers, as proportions. */
  readonly residual: number;
  /** KL(q || p), in natural logarithms; infinite when a row without prior weight was given some. */
  readonly divergence: number;
  /** The farthest that an update of the epoch moved its answers, in L1: 0 when all answers are met. */
  readonly moved: number;
  /** Under `validated`: estimated mean squared error of what the epoch offers, in variances of the noise. */
  readonly risk?: number | undefined;
}

/** The reweighted public rows, and how each epoch went. */
export interface IdeResult {
  readonly support: Support;
  readonly total: number;
  /** The weights at the end of each epoch, from the prior on. */
  readonly trace: readonly IdeEpoch[];
  /** What was offered, and at the end of which epoch. */
  readonly offered: { readonly epoch: number; readonly residual: number; readonly divergence: number };
  /** True when the last epoch moved nothing by more than the tolerance. */
  readonly converged: boolean;
}

/** Under `validated`, epochs without a lesser risk before giving up. */
const patience = 5;

/**
 * Iterative Distribution Estimation (Tao, Bater, Machanavajjhala 2021, Algorithm 1): starts at the public prior and, one
 * partial workload after another, moves to the nearest distribution (in KL) whose answers are as near as can be (in L1) to
 * the measured ones. Every epoch takes the workloads in a fresh random order; those that share a joint of few combinations
 * follow each other, which saves passes over the rows.
 *
 * With answers that agree it converges to the exact two-stage solution; with noisy ones it ends in a cycle, of which it
 * offers the average. Cost of an epoch: about a pass over the rows for every five pair marginals.
 */
export const estimateIde = async (
  support: Support,
  measurements: readonly Measurement[],
  options: IdeEstimateOptions,
): Promise<IdeResult> => {
  const { random, epochs = defaultEpochs, tolerance = 1e-9, offer = 'average', until = 'converged' } = options;
  if (!Number.isSafeInteger(epochs) || epochs < 1)
    throw new InputError(`epochs: must be a positive integer, got ${epochs}`);
  const validated = until === 'validated';
  const total = options.total ?? estimateTotal(measurements);
  if (!(total > 0 && total < Infinity)) throw new InputError(`total: must be positive and finite, got ${total}`);
  const workloads = partialWorkloads(measurements, support.domain);
  if (workloads.length === 0) throw new InputError('measurements: must be at least one, got none');
  const noisy = proportions(workloads, measurements, total);
  const opened = await openIdeRows(support, workloads, options);
  try {
    const fit = startIde(opened, noisy);
    const deviations = deviationsOf(workloads, measurements, total);
    const count = validated ? (options.probes ?? 2) : 0;
    const probes = await ideProbes(count, opened, noisy, deviations, offer, random);

    const stateOf = async (epoch: number, moved: number): Promise<IdeEpoch> => ({
      epoch,
      residual: l1(await fit.answers('last'), noisy),
      divergence: divergence(fit.distribution('last'), support.weights),
      moved,
    });
    const riskNow = async (): Promise<number> => {
      const expected = await fit.answers(offer);
      return estimatedRisk(expected, noisy, deviations, await probes.freedom(expected));
    };

    const trace: IdeEpoch[] = [await stateOf(0, Infinity)];
    let best = { epoch: 0, weights: support.weights, risk: Infinity };
    if (validated) {
      best.risk = await riskNow();
      trace[0] = { ...trace[0], risk: best.risk };
    }
    let converged = false;
    for (let epoch = 1; epoch <= epochs; epoch++) {
      options.signal?.throwIfAborted();
      const order = orderOf(opened.members, random);
      // The average of an epoch in which nothing moved is the last iterate.
      const averaged = offer === 'average' && (validated || epoch === epochs);
      const step = (run: IdeFit): Promise<number> => (averaged ? run.averagedEpoch(order) : run.epoch(order));
      const moved = await step(fit);
      await probes.follow(step);
      const risk = validated ? await riskNow() : undefined;
      const state = await stateOf(epoch, moved);
      trace.push(risk === undefined ? state : { ...state, risk });
      converged = moved <= tolerance;
      if (risk === undefined) best.epoch = epoch;
      else if (risk < best.risk) best = { epoch, risk, weights: fit.distribution(offer) };
      options.onProgress?.({ stage: 'ide', done: epoch, total: epochs });
      if (converged || (validated && epoch >= best.epoch + patience)) break;
    }
    if (!validated) best.weights = fit.distribution(converged ? 'last' : offer);
    const result = reweighted(support, best.weights);
    return {
      support: result,
      total,
      trace,
      offered: {
        epoch: best.epoch,
        residual: l1(await fit.answers(result.weights), noisy),
        divergence: divergence(result.weights, support.weights),
      },
      converged,
    };
  } finally {
    opened.rows.close();
  }
};

/** Joints in random order, and within each its workloads. */
const orderOf = (members: readonly (readonly number[])[], random: Random): IdeOrder =>
  shuffle(members.keys(), random).map((joint) => ({ joint, workloads: shuffle(members[joint], random) }));

/** The measured answers of each workload, divided by the total. */
const proportions = (
  workloads: readonly PartialWorkload[],
  measurements: readonly { readonly values: Float64Array }[],
  total: number,
): Float64Array[] =>
  workloads.map(({ measurement, answers }) =>
    Float64Array.from(answers, (answer) => measurements[measurement].values[answer] / total),
  );
