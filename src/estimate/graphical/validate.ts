import type { Running } from '../../domain/running.js';
import type { Region } from '../../kernel/arena.js';
import type { MarginalOracle } from '../../model/graphical/oracle.js';
import { normal } from '../../random/normal.js';
import type { Random } from '../../random/random.js';
import { earliestGood } from '../earliest-good.js';
import { nudge, openProbes, type Probe, probesFor } from '../risk-probes.js';
import { stepper } from '../stepper.js';
import { breather } from './breathe.js';
import { type GraphicalFit, startFit } from './fit.js';
import { answerVector, type SquaredLoss, squaredLoss } from './squared-loss.js';
import type { FitResult, Fitted, GraphicalStep, OnStep } from './step.js';
import type { Target } from './targets.js';

export interface ValidateOptions extends Running {
  readonly iterations: number;
  readonly tolerance: number;
  readonly random: Random;
  readonly probes?: number | undefined;
  readonly onStep?: OnStep | undefined;
}

/** What is fitted, and from where. */
export interface Problem {
  readonly oracle: MarginalOracle;
  readonly targets: readonly Target[];
  /** Number of records where it is known; otherwise it is fitted along. */
  readonly total: number | undefined;
  /** Of the number of records. */
  readonly estimate: number;
  readonly start: Region<Float64Array>;
  readonly constant: number;
}

/** Bytes that points which may yet be chosen take at most. */
const heldBytes = 1e9;

/** A fit to measurements that are moved a little at random. */
const probeOf = async (
  { oracle, targets, total, estimate, start }: Problem,
  random: Random,
): Promise<Probe<GraphicalFit>> => {
  const noise = targets.map(({ values }) => values.map(() => normal(random)));
  const moved = answerVector(
    oracle,
    targets,
    targets.map(({ values, variance }, t) =>
      values.map((value, i) => value + nudge * Math.sqrt(variance) * noise[t][i]),
    ),
  );
  const weighted = answerVector(
    oracle,
    targets,
    targets.map(({ variance }, t) => noise[t].map((value) => value / Math.sqrt(variance))),
  );
  const loss: SquaredLoss = squaredLoss(oracle, targets, total, estimate, 0, moved);
  const fit = await startFit(oracle, loss, start, true);
  return {
    fit,
    along: ({ point: other }) =>
      loss.along(weighted, fit.point.marginals, fit.point.total) - loss.along(weighted, other.marginals, other.total),
  };
};

/**
 * Validated stopping: mirror descent from the start towards the measurements, stopped before it fits their noise. At every step
 * chi - answers + 2 freedom estimates the squared error of the expected answers without bias (Stein 1981), where the freedom is
 * found by probes; of all steps the earliest is taken that is as good as the best. See docs/graphical.md.
 */
export const validate = async (
  problem: Problem,
  { iterations, tolerance, random, probes: wished, onStep, onProgress, signal }: ValidateOptions,
): Promise<FitResult> => {
  const { oracle, targets, total, estimate, start, constant } = problem;
  const loss = squaredLoss(oracle, targets, total, estimate);
  const { answers } = loss;
  const fit = await startFit(oracle, loss, start);
  const probes = await openProbes(wished ?? probesFor(answers), () => probeOf(problem, random));
  const advance = stepper(fit, loss.unit);
  const stop = earliestGood<GraphicalStep, Fitted>(
    (a, b) => loss.distance(a, b),
    Math.max(4, Math.min(64, Math.floor(heldBytes / (16 * oracle.length + 1)))),
  );
  const trace: GraphicalStep[] = [];
  const breathe = breather(signal);

  const point = (): Fitted => ({
    potentials: fit.point.potentials.view.slice(),
    marginals: fit.point.marginals.view.slice(),
    total: fit.point.total,
  });
  const look = async (iteration: number, time: number): Promise<void> => {
    const freedom = probes.freedom(fit);
    const step: GraphicalStep = {
      iteration,
      time,
      loss: (fit.chi + constant) / 2,
      gradient: fit.steepness,
      chi: answers === 0 ? 0 : fit.chi / answers,
      divergence: fit.divergence(),
      total: fit.point.total,
      freedom,
      risk: fit.chi - answers + 2 * freedom,
    };
    trace.push(step);
    stop.consider(step, point());
    await onStep?.(step, async () => point());
  };

  await look(0, 0);
  let still = 0;
  for (let iteration = 1; iteration <= iterations && still < 5 && answers > 0; iteration++) {
    await breathe();
    const before = fit.chi;
    const stride = await advance();
    await probes.follow(stride);
    await look(iteration, stride.time);
    still = before - fit.chi <= tolerance * before ? still + 1 : 0;
    // Where it will stop is not known in advance, so no total is given.
    onProgress?.({ stage: 'estimate', done: iteration });
    if (stride.time > 3 * stop.best().time + 30) break;
  }
  const { point: chosen, snapshot } = stop.chosen();
  return { ...snapshot, trace, chosen };
};
