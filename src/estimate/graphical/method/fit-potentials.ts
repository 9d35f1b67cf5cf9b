import type { Region } from '../../../kernel/arena.js';
import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import { lbfgs } from './lbfgs.js';

/**
 * The potentials whose model has given marginals (proportions of every factor of the oracle, of one distribution): maximum
 * likelihood, min log Z - <potentials, marginals>, which is convex, and whose gradient is the difference of marginals. Started at
 * `start`, which is overwritten; of factors that overlap, only what the marginals say matters. Stops when no marginal is off by more
 * than `tolerance`.
 */
export const fitPotentials = async (
  oracle: MarginalOracle,
  marginals: Region<Float64Array>,
  start: Region<Float64Array>,
  tolerance = 1e-10,
  iterations = 1000,
): Promise<{ potentials: Float64Array; marginals: Float64Array; iterations: number }> => {
  const { kernels, arena } = oracle.engine;
  const { length } = oracle;
  const mark = arena.mark();
  const own = oracle.vector();
  const solver = await lbfgs(
    oracle,
    {
      async value(potentials) {
        const logZ = await oracle.run(potentials, own);
        return logZ - kernels.dot(potentials.address, marginals.address, length);
      },
      async slope(gradient) {
        kernels.clear(gradient.address, 8 * length);
        kernels.axpy(1, own.address, gradient.address, length);
        kernels.axpy(-1, marginals.address, gradient.address, length);
      },
    },
    start,
  );
  let done = 0;
  while (done < iterations && kernels.maxDistance(own.address, marginals.address, length) > tolerance) {
    done++;
    if (!(await solver.advance())) break;
  }
  const found = { potentials: solver.potentials.view.slice(), marginals: own.view.slice(), iterations: done };
  // Vectors of this fit only, and nothing else is allocated meanwhile.
  arena.release(mark);
  return found;
};
