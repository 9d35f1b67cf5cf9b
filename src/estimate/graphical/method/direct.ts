import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import type { MarginalLoss } from '../loss/loss.js';
import { lbfgs } from './lbfgs.js';
import type { Method } from './method.js';
import { type Vector, vectorsOf } from './vectors.js';

/** Marginals are moved by about this much to see how they follow the potentials. */
const nudge = 1e-5;

/**
 * Direct optimisation (Private-PGM, A.3): L-BFGS on the loss as a function of the potentials. Its gradient is J g, where g is the
 * gradient by the marginals and J, the derivative of the marginals by the potentials, is symmetric (the Hessian of log Z): so
 * J g is how the marginals change when the potentials move along g, and two more calls of the oracle give it by a central
 * difference. Not convex in general, though it ends at the same loss in every case tried.
 */
export const direct = async (oracle: MarginalOracle, loss: MarginalLoss, start: Vector): Promise<Method> => {
  const { add, copy, clear, distance, divergence } = vectorsOf(oracle);
  const [marginals, pull, moved, ahead, behind, origin, zero] = Array.from({ length: 7 }, () => oracle.vector());
  copy(start, origin);
  let asked = origin;
  let logZ = 0;
  const solver = await lbfgs(
    oracle,
    {
      async value(potentials) {
        asked = potentials;
        logZ = await oracle.run(potentials, marginals);
        return Number.isFinite(logZ) ? loss.evaluate(marginals, pull) : Infinity;
      },
      async slope(gradient) {
        // Constants within a factor move nothing; what varies decides how far to go.
        const reach = distance(pull, zero);
        const h = reach > 0 ? nudge / reach : 0;
        clear(gradient);
        if (h === 0) return;
        copy(asked, moved);
        add(h, pull, moved);
        await oracle.run(moved, ahead);
        add(-2 * h, pull, moved);
        await oracle.run(moved, behind);
        add(0.5 / h, ahead, gradient);
        add(-0.5 / h, behind, gradient);
      },
    },
    start,
  );
  const first = { potentials: origin, logZ };
  let iterations = 0;
  return {
    async advance() {
      iterations++;
      await solver.advance();
    },
    get objective() {
      return solver.value;
    },
    get gradient() {
      return solver.steepness;
    },
    get time() {
      return iterations;
    },
    settle: () => {
      loss.evaluate(marginals, pull);
    },
    divergence: async () => {
      const own = await oracle.run(solver.potentials, ahead);
      return divergence({ potentials: solver.potentials, marginals: ahead, logZ: own }, first);
    },
    async result() {
      await oracle.run(solver.potentials, marginals);
      loss.evaluate(marginals, pull);
      return { potentials: solver.potentials.view.slice(), marginals: marginals.view.slice(), total: loss.total };
    },
    refresh: () => solver.refresh(),
  };
};
