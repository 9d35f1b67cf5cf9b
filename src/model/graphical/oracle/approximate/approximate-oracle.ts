import type { Running } from '../../../../domain/running.js';
import { inTurns } from '../../../../domain/turns.js';
import { createEngine } from '../../../../kernel/engine.js';
import type { JunctionTree } from '../../tree/junction-tree.js';
import type { MarginalOracle, OracleFactor } from '../marginal-oracle.js';
import { factorSteps, oracleVectors, placeShapes, placeTables } from '../oracle-plan.js';
import type { ApproximatePlan } from './approximate-plan.js';
import { runningApproximate } from './run-approximate.js';

/** An oracle of pseudo-marginals: consistent wherever factors overlap, and those of the distribution where the factors have a tree. */
export const openApproximate = async (
  tree: JunctionTree,
  factors: readonly OracleFactor[],
  plan: ApproximatePlan,
  { signal }: Pick<Running, 'signal'>,
): Promise<MarginalOracle> => {
  const engine = await createEngine();
  placeTables(plan, engine);
  // Messages are kept from run to run; the first starts at none.
  for (const { address, cells } of plan.kept) engine.kernels.clear(address, 8 * cells);
  const ends = plan.separators.flatMap((separator) => separator.ends);
  const steps = [...ends.flatMap(({ project, spread }) => [project, spread]), ...plan.totals];
  placeShapes([...factorSteps(plan), ...steps], engine);
  const { attach, ...vectors } = oracleVectors(engine, factors, plan);
  return {
    tree,
    exact: false,
    ...vectors,
    run: (potentials, marginals) => {
      attach(potentials, marginals);
      return inTurns(runningApproximate(plan, engine), { signal });
    },
    beliefs: async () => undefined,
    close: () => {},
  };
};
