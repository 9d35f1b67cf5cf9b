import type { Region } from '../../../kernel/arena.js';
import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import type { MarginalLoss } from '../loss/loss.js';
import { lbfgs } from './lbfgs.js';
import type { Method } from './method.js';

/** Marginals are moved by about this much to see how they follow the potentials. */
const nudge = 1e-5;

/**
 * Direct optimisation (Private-PGM, A.3): L-BFGS on the loss as a function of the potentials. Its gradient is J g, where g is the
 * gradient by the marginals and J, the derivative of the marginals by the potentials, is symmetric (the Hessian of log Z): so
 * J g is how the marginals change when the potentials move along g, and two more calls of the oracle give it by a central
 * difference. Not convex in general, though it ends at the same loss in every case tried.
 */
export const direct = async (
  oracle: MarginalOracle,
  loss: MarginalLoss,
  start: Region<Float64Array>,
): Promise<Method> => {
  const { kernels } = oracle.engine;
  const { length } = oracle;
  const [marginals, pull, moved, ahead, behind, origin] = Array.from({ length: 6 }, () => oracle.vector());
  const copy = (from: Region<Float64Array>, to: Region<Float64Array>): void => {
    kernels.clear(to.address, 8 * length);
    kernels.axpy(1, from.address, to.address, length);
  };
  const dot = (a: Region<Float64Array>, b: Region<Float64Array>): number => kernels.dot(a.address, b.address, length);
  copy(start, origin);
  let asked = origin;
  let logZ = 0;
  const zero = oracle.vector();
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
        const reach = kernels.maxDistance(pull.address, zero.address, length);
        const h = reach > 0 ? nudge / reach : 0;
        kernels.clear(gradient.address, 8 * length);
        if (h === 0) return;
        copy(asked, moved);
        kernels.axpy(h, pull.address, moved.address, length);
        await oracle.run(moved, ahead);
        kernels.axpy(-2 * h, pull.address, moved.address, length);
        await oracle.run(moved, behind);
        kernels.axpy(0.5 / h, ahead.address, gradient.address, length);
        kernels.axpy(-0.5 / h, behind.address, gradient.address, length);
      },
    },
    start,
  );
  const startLogZ = logZ;
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
      return Math.max(0, dot(ahead, solver.potentials) - dot(ahead, origin) - own + startLogZ);
    },
    async result() {
      await oracle.run(solver.potentials, marginals);
      loss.evaluate(marginals, pull);
      return { potentials: solver.potentials.view.slice(), marginals: marginals.view.slice(), total: loss.total };
    },
    refresh: () => solver.refresh(),
  };
};
