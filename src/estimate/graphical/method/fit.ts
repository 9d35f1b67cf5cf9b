import type { Region } from '../../kernel/arena.js';
import type { MarginalOracle } from '../../model/graphical/oracle/oracle.js';
import type { Descending } from '../stopping/stepper.js';
import type { MarginalLoss } from './loss/loss.js';

/** A point of a fit: log potentials, their marginals (proportions) and the gradient of the loss by these. */
export interface FitPoint {
  potentials: Region<Float64Array>;
  marginals: Region<Float64Array>;
  gradient: Region<Float64Array>;
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

/**
 * Starts a fit at the potentials `start`, which is read now and again by `divergence`, never written. A `follower` never tries:
 * its attempts are final, give no slope, and need three vectors less.
 */
export const startFit = async (
  oracle: MarginalOracle,
  loss: MarginalLoss,
  start: Region<Float64Array>,
  follower = false,
): Promise<GraphicalFit> => {
  const { kernels } = oracle.engine;
  const { length } = oracle;
  const bytes = 8 * length;
  const empty = (): FitPoint => ({
    potentials: oracle.vector(),
    marginals: oracle.vector(),
    gradient: oracle.vector(),
    logZ: 0,
    chi: 0,
  });
  const copy = (from: Region<Float64Array>, to: Region<Float64Array>): void => {
    kernels.clear(to.address, bytes);
    kernels.axpy(1, from.address, to.address, length);
  };
  const settle = async (point: FitPoint): Promise<void> => {
    point.logZ = await oracle.run(point.potentials, point.marginals);
    point.chi = Number.isFinite(point.logZ) ? 2 * loss.evaluate(point.marginals, point.gradient) : Infinity;
  };
  const dot = (a: Region<Float64Array>, b: Region<Float64Array>): number => kernels.dot(a.address, b.address, length);

  let present = empty();
  let next = follower ? present : empty();
  /** The last point before momentum moved it on. */
  const anchor = oracle.vector();
  copy(start, present.potentials);
  copy(start, anchor);
  await settle(present);
  const startLogZ = present.logZ;
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
      const target = next.potentials.address;
      if (!follower) copy(present.potentials, next.potentials);
      kernels.axpy(-step, present.gradient.address, target, length);
      pushed = momentum;
      if (momentum > 0) {
        kernels.scale(target, 1 + momentum, length);
        kernels.axpy(-momentum, anchor.address, target, length);
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
      kernels.scale(anchor.address, pushed / (1 + pushed), length);
      kernels.axpy(1 / (1 + pushed), present.potentials.address, anchor.address, length);
    },
    divergence: () =>
      Math.max(
        0,
        dot(present.marginals, present.potentials) - dot(present.marginals, start) - present.logZ + startLogZ,
      ),
    refresh() {
      present.chi = 2 * loss.evaluate(present.marginals, present.gradient);
    },
  };
};
