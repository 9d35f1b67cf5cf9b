import type { Running } from '../../../domain/running.js';
import { eventYielder } from '../../../domain/turns.js';
import type { MarginalLoss } from '../loss/loss.js';
import type { FitResult, GraphicalStep, OnStep } from '../step.js';
import type { Method } from './method.js';

export interface MinimiseOptions extends Running {
  /** Iterations at most. */
  readonly iterations: number;
  /** It has converged when `patience` iterations together gain less than this part of the loss. */
  readonly tolerance: number;
  /** Stops once the normalised residual is at most this. */
  readonly chi?: number | undefined;
  readonly onStep?: OnStep | undefined;
}

/** Iterations whose common gain decides whether it goes on: momentum may stand still for a few. */
const patience = 20;
/** A fit whose answers are all within this many standard deviations is exact for every purpose. */
const exact = 1e-7;

/** Lets a method work until it has converged, or the residual is small enough, or the iterations are used up. */
export const minimise = async (
  method: Method,
  loss: MarginalLoss,
  { iterations, tolerance, chi, onStep, onProgress, signal }: MinimiseOptions,
): Promise<FitResult> => {
  const yieldToEvents = eventYielder(signal);
  const trace: GraphicalStep[] = [];
  const look = async (iteration: number): Promise<GraphicalStep> => {
    method.settle();
    const { value, total, answers } = loss;
    const residual = answers === 0 ? 0 : loss.chi / answers;
    const step: GraphicalStep = {
      iteration,
      time: method.time,
      loss: value,
      gradient: method.gradient,
      chi: residual,
      divergence: await method.divergence(),
      total,
      freedom: 0,
      risk: loss.chi - answers,
    };
    trace.push(step);
    await onStep?.(step, () => method.result());
    return step;
  };

  let present = await look(0);
  let recent: number[] = [method.objective];
  for (let iteration = 1; iteration <= iterations; iteration++) {
    if (chi !== undefined && present.chi <= chi) break;
    await yieldToEvents();
    await method.advance();
    present = await look(iteration);
    onProgress?.({ stage: 'estimate', done: iteration, total: iterations });
    recent.push(method.objective);
    if (recent.length <= patience) continue;
    const gained = recent.shift()! - method.objective;
    const settled = gained <= tolerance * Math.abs(method.objective) || (loss.answers > 0 && present.chi <= exact ** 2);
    if (tolerance === 0 || !settled) continue;
    if (!loss.sharpen()) break;
    await method.refresh();
    recent = [method.objective];
  }
  return { ...(await method.result()), trace, chosen: present };
};
