import type { Stride } from '../../stopping/stepper.js';
import { stepper } from '../../stopping/stepper.js';
import type { GraphicalFit } from './fit.js';
import type { Method } from './method.js';

/** Where nothing is left to gain every step passes, and they must not grow for ever. */
const longest = 1e12;

/** Algorithm 1 with Armijo's line search: a step is taken when it gains at least half of what the gradient predicts. */
const armijo = (fit: GraphicalFit, unit: number): (() => Promise<Stride>) => {
  let step = unit;
  let time = 0;
  return async () => {
    const before = fit.chi;
    for (let tries = 0; tries < 60; tries++) {
      const { chi, slope } = await fit.attempt(step);
      if (before - chi >= -slope) break;
      step /= 2;
    }
    await fit.accept();
    time += step;
    const taken = { step, momentum: 0, time: time / unit };
    if (step < longest * unit) step *= 1.5;
    return taken;
  };
};

/** A fit that takes the steps of `advance`. */
const descentMethod = (fit: GraphicalFit, advance: () => Promise<Stride>): Method => {
  let time = 0;
  return {
    async advance() {
      ({ time } = await advance());
    },
    get objective() {
      return fit.chi / 2;
    },
    get gradient() {
      return fit.steepness;
    },
    get time() {
      return time;
    },
    // The last attempt is always the one that was accepted.
    settle: () => {},
    divergence: async () => fit.divergence(),
    result: async () => ({
      potentials: fit.point.potentials.view.slice(),
      marginals: fit.point.marginals.view.slice(),
      total: fit.loss.total,
    }),
    refresh: async () => fit.refresh(),
  };
};

/** Algorithm 1 (Private-PGM): entropic mirror descent with a line search. */
export const mirrorDescent = (fit: GraphicalFit): Method => descentMethod(fit, armijo(fit, fit.loss.unit));

/** The same with Nesterov's momentum on the potentials, which starts anew when shorter steps no longer help. */
export const momentumDescent = (fit: GraphicalFit): Method => {
  const { unit, varies } = fit.loss;
  const settled = varies === true ? 1.05 : 1.003;
  return descentMethod(fit, stepper(fit, unit, { pace: Number.POSITIVE_INFINITY, persistent: true, settled }));
};
