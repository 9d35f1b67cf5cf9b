import type { Running } from '../../../domain/running.js';
import { eventYielder } from '../../../domain/turns.js';
import type { Region } from '../../../kernel/arena.js';
import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import type { Random } from '../../../random/random.js';
import type { Sharing } from '../../sharing/sharing.js';
import { openProbes, type Probe, perturb, probesFor } from '../../stopping/risk-probes.js';
import { expectedSteps, stepper, takeStride } from '../../stopping/stepper.js';
import { isBehind, isSwing, stoppingRule } from '../../stopping/stopping-rule.js';
import { answerVector, type SquaredLoss, squaredLoss } from '../loss/squared-loss.js';
import type { FitResult, Fitted, GraphicalStep, OnStep } from '../step.js';
import type { Target } from '../targets.js';
import { type GraphicalFit, startFit } from './fit.js';

export interface ValidateOptions extends Running {
  readonly iterations: number;
  readonly tolerance: number;
  readonly random: Random;
  readonly probes?: number | undefined;
  readonly mostProbes?: number | undefined;
  readonly onStep?: OnStep | undefined;
}

/** What is fitted, and from where. */
export interface Problem {
  readonly oracle: MarginalOracle;
  readonly targets: readonly Target[];
  /** Number of records. */
  readonly total: number;
  readonly start: Region<Float64Array>;
  readonly constant: number;
  /** How steps are shared among neighbouring cells. */
  readonly sharing?: Sharing | undefined;
}

/** Bytes that points which may yet be chosen take at most. */
const heldBytes = 1e9;

/**
 * The risk of measured answers is known well here, where answers are many, and the error of what was not measured follows it, so less
 * is given up for being early than `stoppingRule` does by default.
 */
const leniency = { partOfFreedom: 0.01, deviations: 0.5 };

/**
 * Momentum of more steps than this would swing around what measurements say in slow directions, too, and so follow their noise
 * before their signal. As long as steps lessen the risk by so many times what they add to the freedom, it is signal that they follow, and
 * momentum may grow: nearly deterministic tables take hundreds of steps less. That is seen over so many steps.
 */
const longestRun = 40;
const [signalPart, seenSteps] = [3, 10];

/**
 * The records themselves leave what noise leaves, about 1 a measured answer. As long as residuals exceed that by so many standard deviations there is signal left
 * to follow, whatever the risk did on the way: what a prior holds nearly impossible comes late, and before it does the risk may rise.
 */
const clearly = 3;
/** The variance of the square of Gaussian noise, and of Laplace noise, of variance 1. */
const squaresVary = ({ scale, variance }: Target): number => (scale ** 2 > 0.9 * variance ? 2 : 5);

/** Residuals, as chi, beyond which there is signal left. */
const mostNoise = (targets: readonly Target[]): number => {
  const answers = targets.reduce((sum, { dimensions }) => sum + dimensions, 0);
  const spread = targets.reduce((sum, target) => sum + target.dimensions * squaresVary(target), 0);
  return answers + clearly * Math.sqrt(spread);
};

/** A fall of the freedom below this part of what it was is no accident. */
const steady = 0.995;
/** What it makes of the risk is not to be trusted for so many steps. */
const swingSteps = 10;

/** A fit to measurements that are moved a little at random. */
const probeOf = async (
  { oracle, targets, total, start, sharing }: Problem,
  random: Random,
  signal: AbortSignal | undefined,
): Promise<Probe<GraphicalFit, GraphicalFit>> => {
  const deviations = targets.map(({ variance }) => Math.sqrt(variance));
  const { noise, moved } = perturb(
    targets.map(({ values }) => values),
    deviations,
    random,
  );
  const vector = (values: readonly Float64Array[]) => answerVector(oracle, targets, values);
  const weighted = vector(noise.map((own, t) => own.map((value) => value / deviations[t])));
  const loss: SquaredLoss = squaredLoss(oracle, targets, total, 0, vector(moved), sharing);
  const fit = await startFit(oracle, loss, start, { follower: true, signal });
  return {
    fit,
    along: ({ point: other }) => loss.along(weighted, fit.point.marginals) - loss.along(weighted, other.marginals),
  };
};

/**
 * Validated stopping: mirror descent from the start towards the measurements, stopped before it fits their noise. At every step
 * chi - answers + 2 freedom estimates the squared error of the expected answers without bias (Stein 1981), where the freedom is
 * found by probes; of all steps the earliest is taken that is as good as the best. See docs/graphical.md.
 */
export const validate = async (
  problem: Problem,
  { iterations, tolerance, random, probes: wished, mostProbes, onStep, onProgress, signal }: ValidateOptions,
): Promise<FitResult> => {
  const { oracle, targets, total, start, constant, sharing } = problem;
  const loss = squaredLoss(oracle, targets, total, 0, undefined, sharing);
  const { answers } = loss;
  const ended = mostNoise(targets);
  const fit = await startFit(oracle, loss, start, { signal });
  const probes = await openProbes(wished ?? probesFor(answers, mostProbes), () => probeOf(problem, random, signal));
  let isSignal = true;
  const advance = stepper(fit, loss.unit, {
    persistent: true,
    settled: 1.003,
    longestRun: () => (isSignal ? Infinity : longestRun),
  });
  const stop = stoppingRule<GraphicalStep, Fitted>((a, b) => loss.distance(a.marginals, b.marginals), {
    ...leniency,
    most: Math.max(4, Math.min(64, Math.floor(heldBytes / (16 * oracle.length + 1)))),
  });
  const trace: GraphicalStep[] = [];
  const yieldToEvents = eventYielder(signal);

  const point = (): Fitted => ({
    potentials: fit.point.potentials.view.slice(),
    marginals: fit.point.marginals.view.slice(),
    total,
  });
  const stepAt = (iteration: number, time: number, freedom: number): GraphicalStep => ({
    iteration,
    time,
    loss: (loss.chi + constant) / 2,
    gradient: fit.steepness,
    chi: answers === 0 ? 0 : loss.chi / answers,
    divergence: fit.divergence(),
    total,
    freedom,
    risk: loss.chi - answers + 2 * freedom,
  });
  let pending = { step: stepAt(0, 0, 0), point: point() };
  let earlier = 0;
  /**
   * Judges the pending step now that `later`, the freedom after it, is known. Where steps are about to become too long, the steepest
   * direction swings to and fro, and the probes with it: weights 1, 2, 1 cancel that.
   */
  const judge = (later: number): void => {
    const { step, point: snapshot } = pending;
    const freedom = (earlier + 2 * step.freedom + later) / 4;
    const judged = { ...step, freedom, risk: step.risk + 2 * (freedom - step.freedom) };
    const swings = trace.slice(-swingSteps).some((before) => isSwing(before.freedom, freedom));
    trace.push(judged);
    if (!swings) stop.consider(judged, snapshot);
    earlier = step.freedom;
  };

  await onStep?.(pending.step, async () => point());
  let still = 0;
  for (let iteration = 1; iteration <= iterations && still < 5 && answers > 0; iteration++) {
    await yieldToEvents();
    const before = fit.chi;
    const stride = await advance();
    await probes.follow((probe) => takeStride(probe, stride));
    const freedom = await probes.freedom(fit);
    // More steps never use up fewer parameters: a fall is that swing, and it grows unless steps are shortened.
    if (freedom < steady * pending.step.freedom) advance.calm();
    judge(iteration === 1 ? 0 : freedom);
    pending = { step: stepAt(iteration, stride.time, freedom), point: point() };
    await onStep?.(pending.step, async () => point());
    const seen = trace[Math.max(0, trace.length - seenSteps)];
    isSignal = seen.risk - pending.step.risk > signalPart * (freedom - seen.freedom);
    still = before - fit.chi <= tolerance * before ? still + 1 : 0;
    const farthest = 3 * stop.best().time + 30;
    // Where it will stop is not known in advance, so no total is given, but where it would stop if the best step were found.
    const expected = Math.min(iterations, expectedSteps(iteration, stride.time, farthest));
    onProgress?.({ stage: 'estimate', done: iteration, expected });
    if (loss.chi > ended) continue;
    if (stride.time > farthest || isBehind(pending.step, stop.best())) break;
  }
  judge(pending.step.freedom);
  const { point: chosen, snapshot } = stop.chosen();
  return { ...snapshot, trace, chosen };
};
