import type { Descent } from './descent.js';

/** A step that was taken: its length, and how much of the previous movement went on. Both fix the step for a follower. */
export interface Stride {
  readonly step: number;
  readonly momentum: number;
  /** Sum of all movements so far, in units of the shortest step. */
  readonly time: number;
}

/** The sum of movements grows by at most this factor a step, so that the best stopping point is not jumped over. */
const pace = 1.15;

/**
 * Steps of accelerated mirror descent for a loss chi/2. `unit` is a step that is never too long. Steps grow until one fails to
 * lessen chi; then momentum starts anew from a shorter step, which has to pass Armijo's test (half of the predicted gain).
 */
export const stepper = (fit: Descent, unit: number): (() => Promise<Stride>) => {
  let longest = unit;
  let growth = 1.2;
  let moved = 0;
  let time = 0;
  /** Steps since momentum last started. */
  let run = 0;
  return async () => {
    const before = fit.chi;
    await fit.aim();
    let step = longest;
    let momentum = 0;
    for (let tries = 0; tries < 60; tries++) {
      step = longest;
      momentum = run / (run + 3);
      const brake = Math.min(1, ((pace - 1) * time + unit) / (step + momentum * moved));
      step *= brake;
      momentum *= brake;
      const { chi, slope } = await fit.attempt(step, momentum);
      if (run > 0 ? chi <= before : before - chi >= -slope) break;
      longest = step * (run > 0 ? 0.6 : 0.5);
      growth = 1.01;
      run = 0;
    }
    await fit.accept();
    moved = step + momentum * moved;
    time += moved;
    longest *= growth;
    run++;
    return { step, momentum, time: time / unit };
  };
};
