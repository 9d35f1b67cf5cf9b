import type { Running } from '../../domain/running.js';
import type { Weighted } from '../../model/support/weighted.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { Random } from '../../random/random.js';
import { openProbes, probesFor } from '../stopping/risk-probes.js';
import { expectedSteps, type Stride, stepper, takeStride } from '../stopping/stepper.js';
import { isBehind, isStill, type Judged, stoppingRule } from '../stopping/stopping-rule.js';
import { startDescent } from './descent.js';
import { reweightProbe } from './probe.js';
import { noisyAnswers, squaredDistance, type Target } from './targets.js';

/** Steps at most, unless told. */
export const defaultIterations = 1000;

/** How what is public is reweighted, and when that stops. */
export interface ReweightEstimateOptions extends Threads, Running {
  /** For the probes of the stopping rule: post-processing, so any generator will do. */
  readonly random: Random;
  /** Number of records, or of households where these have the weights, where it is public; otherwise it is fitted along with the weights. */
  readonly total?: number | undefined;
  /** Where to stop: where the estimated risk is least (default), or where the fit no longer improves. */
  readonly until?: 'validated' | 'converged' | undefined;
  /** Steps at most; `defaultIterations` by default. */
  readonly iterations?: number | undefined;
  /** Perturbed fits that estimate the degrees of freedom: 2 by default, more where there are few answers to average over. */
  readonly probes?: number | undefined;
  /** As many of them as there would be, but no more than this. */
  readonly mostProbes?: number | undefined;
  /** Sees every step, with a way to get its weights: for experiments. */
  readonly onStep?: ((step: ReweightStep, weights: () => Promise<Float64Array>) => Promise<void>) | undefined;
}

/** One step of the fit. */
export interface ReweightStep extends Judged {
  readonly iteration: number;
  /** How far the fit has gone: the sum of its movements, in units of the shortest step. */
  readonly time: number;
  /** Sum over all answers of (expected - measured)^2 / variance; noise alone would leave about one for each answer, and less of a residual. */
  readonly chi: number;
  /** Kullback-Leibler divergence from the prior. */
  readonly divergence: number;
  /** Number of records, or households, that goes with the weights. */
  readonly total: number;
}

/** Fitted weights, and how far the fit went. */
export interface FittedWeights {
  /** With sum 1. */
  readonly weights: Float64Array;
  readonly total: number;
  readonly trace: readonly ReweightStep[];
  /** The step whose weights were taken. */
  readonly chosen: ReweightStep;
  /** The steps that lead to it, for whoever follows them. */
  readonly strides: readonly Stride[];
}

interface Snapshot {
  readonly weights: Float64Array;
  readonly answers: Float64Array;
}

/** Bytes that points on the way may take, and how many are held at least; 64 are enough in any case. */
const snapshotBytes = 4e8;
const fewestSnapshots = 12;

/** How many points of so many numbers each are held on the way of a fit. */
export const snapshotsHeld = (numbers: number): number =>
  Math.max(fewestSnapshots, Math.min(64, Math.floor(snapshotBytes / 8 / numbers)));

/**
 * Moves weights from where they start towards the answers by mirror descent, and stops before they fit the noise. Early steps move the
 * weights where the measurements agree; late ones follow noise. Where to stop is read off the measurements themselves: with known
 * variances, chi - answers + 2 freedom is an unbiased estimate of the squared error (Stein 1981), to which answers without noise add
 * their squared error as it is; nothing private is asked again. See docs/reweighting.md.
 */
export const fitWeights = async (
  weighted: Weighted,
  targets: readonly Target[],
  options: ReweightEstimateOptions,
): Promise<FittedWeights> => {
  const { random, until = 'validated', iterations = defaultIterations, signal, onProgress, onStep } = options;
  const { total } = options;
  const answers = noisyAnswers(targets);
  const fit = await startDescent(weighted, targets, total);
  const count = until === 'validated' ? (options.probes ?? probesFor(answers, options.mostProbes)) : 0;
  const probes = await openProbes(count, () => reweightProbe(weighted, targets, total, random));
  // Nothing adds more than its reach to the cells of a measurement, so this bounds the curvature of chi/2 in the weights.
  const advance = stepper(
    fit,
    1 / targets.reduce((sum, { variance, part, reach }) => sum + (fit.total ** 2 * part * reach) / variance, 0),
  );
  const stop = stoppingRule<ReweightStep, Snapshot>(
    (a, b) => Math.sqrt(squaredDistance(targets, a.answers, b.answers)),
    { most: snapshotsHeld(weighted.start.length + fit.answers.length) },
  );
  const trace: ReweightStep[] = [];
  const strides: Stride[] = [];

  const look = async (iteration: number, time: number): Promise<void> => {
    const freedom = await probes.freedom(fit);
    const divergence = await fit.divergence();
    const risk = fit.chi - answers + 2 * freedom;
    const step = { iteration, time, chi: fit.chi, divergence, freedom, risk, total: fit.total };
    trace.push(step);
    if (until === 'validated') stop.consider(step, { weights: await fit.distribution(), answers: fit.answers });
    await onStep?.(step, () => fit.distribution());
  };

  await look(0, 0);
  let still = 0;
  for (let iteration = 1; iteration <= iterations && still < 5; iteration++) {
    signal?.throwIfAborted();
    const before = fit.chi;
    const stride = await advance();
    strides.push(stride);
    await probes.follow((probe) => takeStride(probe, stride));
    await look(iteration, stride.time);
    still = before - fit.chi <= 1e-7 * before ? still + 1 : 0;
    const farthest = until === 'validated' ? 3 * stop.best().time + 30 : Number.POSITIVE_INFINITY;
    // Where it will stop is not known in advance, so no total is given, but where it would stop if the best step were found.
    const expected = Number.isFinite(farthest)
      ? Math.min(iterations, expectedSteps(iteration, stride.time, farthest))
      : iterations;
    onProgress?.({ stage: 'reweight', done: iteration, expected });
    if (stride.time > farthest) break;
    if (until === 'validated' && (isStill(trace) || isBehind(trace[trace.length - 1], stop.best()))) break;
  }
  const last = trace[trace.length - 1];
  const { point, snapshot } =
    until === 'validated' ? stop.chosen() : { point: last, snapshot: { weights: await fit.distribution() } };
  return {
    weights: snapshot.weights,
    total: point.total,
    trace,
    chosen: point,
    strides: strides.slice(0, point.iteration),
  };
};
