import type { Running } from '../../../domain/running.js';
import { eventYielder } from '../../../domain/turns.js';
import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import type { Descending } from '../../stopping/stepper.js';
import type { MarginalLoss } from '../loss/loss.js';
import { stepEvenly } from './even-steps.js';
import { type Vector, vectorsOf } from './vectors.js';

/** A point of a fit: log potentials, their marginals (proportions) and the gradient of the loss by these. */
export interface FitPoint {
  potentials: Vector;
  marginals: Vector;
  gradient: Vector;
  logZ: number;
  chi: number;
}

/**
 * One fit of the potentials of a graphical model by mirror descent over the marginal polytope (Private-PGM, Algorithm 1): a step
 * subtracts the gradient by the marginals from the potentials, and the oracle turns these into marginals.
 */
export interface GraphicalFit extends Descending {
  readonly point: Readonly<FitPoint>;
  readonly loss: MarginalLoss;
  /**
   * Length of the gradient in the geometry of the entropy, the standard deviation of the direction among records: sqrt(-slope/step)
   * of the last attempt, which with momentum is a rough figure.
   */
  readonly steepness: number;
  /** Kullback-Leibler divergence of the present distribution from that at the start. */
  divergence(): number;
  /** Evaluates the loss again at the present marginals: for a loss that has changed. */
  refresh(): void;
}

/** How a fit takes its steps. */
export interface StartOptions extends Pick<Running, 'signal'> {
  /** Never tries: its attempts are final, give no slope, and need three vectors less. */
  readonly follower?: boolean | undefined;
  /** Shares below which steps are not made longer, by `evenShares`; undefined for plain steps. */
  readonly even?: Float64Array | undefined;
}

/**
 * Starts a fit at the potentials `start`, which is read now and again by `divergence`, never written. Events are let through between
 * runs of the oracle.
 */
export const startFit = async (
  oracle: MarginalOracle,
  loss: MarginalLoss,
  start: Vector,
  { follower = false, even, signal }: StartOptions = {},
): Promise<GraphicalFit> => {
  const yieldToEvents = eventYielder(signal);
  const { add, copy, dot, scale, divergence } = vectorsOf(oracle);
  const empty = (): FitPoint => ({
    potentials: oracle.vector(),
    marginals: oracle.vector(),
    gradient: oracle.vector(),
    logZ: 0,
    chi: 0,
  });
  const settle = async (point: FitPoint): Promise<void> => {
    await yieldToEvents();
    point.logZ = await oracle.run(point.potentials, point.marginals);
    point.chi = Number.isFinite(point.logZ) ? 2 * loss.evaluate(point.marginals, point.gradient) : Infinity;
  };

  let present = empty();
  let next = follower ? present : empty();
  /** The last point before momentum moved it on. */
  const anchor = oracle.vector();
  copy(start, present.potentials);
  copy(start, anchor);
  await settle(present);
  const first = { potentials: start, logZ: present.logZ };
  let pushed = 0;
  let steepness = 0;

  return {
    loss,
    get chi() {
      return present.chi;
    },
    get point() {
      return present;
    },
    get steepness() {
      return steepness;
    },
    // The gradient comes with every attempt.
    findDirection: async () => {},
    async attempt(step, momentum = 0) {
      const before = follower ? 0 : dot(present.gradient, present.marginals);
      if (!follower) copy(present.potentials, next.potentials);
      if (even === undefined) add(-step, present.gradient, next.potentials);
      else stepEvenly(step, present, even, next.potentials);
      pushed = momentum;
      if (momentum > 0) {
        scale(next.potentials, 1 + momentum);
        add(-momentum, anchor, next.potentials);
      }
      await settle(next);
      if (follower || !Number.isFinite(next.chi)) return { chi: next.chi, slope: 0 };
      const slope = dot(present.gradient, next.marginals) - before;
      steepness = Math.sqrt(Math.max(0, -slope) / (step * (1 + momentum)));
      return { chi: next.chi, slope };
    },
    async accept() {
      [present, next] = [next, present];
      // Where the step alone led: (1 + m) landed - m anchor = potentials.
      scale(anchor, pushed / (1 + pushed));
      add(1 / (1 + pushed), present.potentials, anchor);
    },
    divergence: () => divergence(present, first),
    refresh() {
      present.chi = 2 * loss.evaluate(present.marginals, present.gradient);
    },
  };
};
