import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import type { MarginalLoss } from '../loss/loss.js';
import { fitPotentials } from './fit-potentials.js';
import type { Method } from './method.js';
import { type Vector, vectorsOf } from './vectors.js';

/** K is first taken to be this part of its bound, ... */
const hope = 1 / 64;
/** ... and multiplied by this when it proves too small. */
const doubt = 2;

/**
 * Algorithm 2 (Private-PGM): Nesterov's accelerated dual averaging, for a loss whose gradient is Lipschitz. Started at a prior it
 * averages gradients around that, so potentials are start - t(t+1)/(4K) g.
 *
 * K. The entropy is 1-strongly convex in the L1 norm of records' probabilities (Pinsker), and in that norm the Lipschitz constant
 * of the squared loss is the largest entry of sum Q^T Q n^2/variance, the squared norm of a column: `1 / loss.unit` bounds it.
 * That is below the largest eigenvalue of the same matrix, which the paper names, and unlike the eigenvalue over concatenated
 * marginals, which takes them for independent, it holds when they overlap. The proof
 * needs no more than loss(mu) <= loss(omega) + <gradient, mu - omega> + K c^2 KL(nu' || nu), where mu - omega = c (nu' - nu), so a K
 * is tried that is smaller, and doubled where this fails. (For a squared loss the excess over the tangent is half of
 * <change of gradient, change>.)
 */
export const dualAveraging = async (oracle: MarginalOracle, loss: MarginalLoss, start: Vector): Promise<Method> => {
  const { add, copy, dot, mix, subtract, divergence } = vectorsOf(oracle);
  const [mu, omega, gradient, average, scratch, ahead] = Array.from({ length: 6 }, () => oracle.vector());
  let present = { potentials: oracle.vector(), marginals: oracle.vector(), logZ: 0 };
  let next = { potentials: oracle.vector(), marginals: oracle.vector(), logZ: 0 };
  copy(start, present.potentials);
  present.logZ = await oracle.run(present.potentials, present.marginals);
  const first = { potentials: start, logZ: present.logZ };
  copy(present.marginals, mu);
  const ceiling = 1 / loss.unit;
  let k = ceiling * hope;
  let t = 0;
  let gap = 0;
  let objective = loss.evaluate(mu, scratch);

  /** Whether K is large enough for the step from `present` to `next`, as the proof needs it; overwrites `scratch` and `ahead`. */
  const holds = (c: number): boolean => {
    copy(mu, scratch);
    mix(scratch, c, next.marginals);
    loss.evaluate(scratch, ahead);
    // Differences, because they are small beside what they are the difference of.
    add(-1, gradient, ahead);
    subtract(next.marginals, present.marginals, scratch);
    const bend = dot(ahead, scratch);
    subtract(next.potentials, present.potentials, ahead);
    /** KL(nu' || nu) + KL(nu || nu'); or, where that is large enough to be told from rounding, twice the first alone if less. */
    const both = dot(ahead, scratch);
    const one = dot(ahead, next.marginals) - next.logZ + present.logZ;
    return bend <= k * c * (both > 1e-6 ? Math.min(both, 2 * one) : both);
  };

  return {
    async advance() {
      t++;
      const c = 2 / (t + 1);
      copy(mu, omega);
      mix(omega, c, present.marginals);
      loss.evaluate(omega, gradient);
      mix(average, c, gradient);
      for (;;) {
        copy(start, next.potentials);
        add((-t * (t + 1)) / (4 * k), average, next.potentials);
        next.logZ = await oracle.run(next.potentials, next.marginals);
        if (k >= ceiling || holds(c)) break;
        k = Math.min(ceiling, k * doubt);
      }
      mix(mu, c, next.marginals);
      [present, next] = [next, present];
      objective = loss.evaluate(mu, scratch);
      gap = Math.abs(dot(scratch, mu) - dot(scratch, present.marginals));
    },
    get objective() {
      return objective;
    },
    get gradient() {
      return Math.sqrt(gap);
    },
    get time() {
      return t;
    },
    settle: () => {},
    // Of the distribution that the averaged gradients lead to.
    divergence: async () => divergence(present, first),
    /** The averaged marginals are not those of the last potentials: the model that has them is found by maximum likelihood. */
    async result() {
      // Read by nothing until the next iteration overwrites it.
      copy(present.potentials, next.potentials);
      const found = await fitPotentials(oracle, mu, next.potentials);
      return { potentials: found.potentials, marginals: found.marginals, total: loss.total };
    },
    refresh: async () => {
      objective = loss.evaluate(mu, scratch);
    },
  };
};
