import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import { lbfgs } from './lbfgs.js';
import { type Vector, vectorsOf } from './vectors.js';

/**
 * The potentials whose model has given marginals (proportions of every factor of the oracle, of one distribution): maximum
 * likelihood, min log Z - <potentials, marginals>, which is convex, and whose gradient is the difference of marginals. Started at
 * `start`, which is overwritten; of factors that overlap, only what the marginals say matters. Stops when no marginal is off by more
 * than `tolerance`.
 */
export const fitPotentials = async (
  oracle: MarginalOracle,
  marginals: Vector,
  start: Vector,
  tolerance = 1e-10,
  iterations = 1000,
): Promise<{ potentials: Float64Array; marginals: Float64Array; iterations: number }> => {
  const { arena } = oracle.engine;
  const { dot, subtract, distance } = vectorsOf(oracle);
  const mark = arena.mark();
  const own = oracle.vector();
  const solver = await lbfgs(
    oracle,
    {
      async value(potentials) {
        const logZ = await oracle.run(potentials, own);
        return logZ - dot(potentials, marginals);
      },
      async slope(gradient) {
        subtract(own, marginals, gradient);
      },
    },
    start,
  );
  let done = 0;
  while (done < iterations && distance(own, marginals) > tolerance) {
    done++;
    if (!(await solver.advance())) break;
  }
  const found = { potentials: solver.potentials.view.slice(), marginals: own.view.slice(), iterations: done };
  // Vectors of this fit only, and nothing else is allocated meanwhile.
  arena.release(mark);
  return found;
};
