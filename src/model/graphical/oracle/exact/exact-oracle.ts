import { createEngine } from '../../../../kernel/engine.js';
import { browserSpawn } from '../../../../kernel/spawn.js';
import { createTeam } from '../../../../kernel/team.js';
import type { Threads } from '../../../support/weighted-rows.js';
import type { JunctionTree } from '../../tree/junction-tree.js';
import type { MarginalOracle, OracleFactor } from '../marginal-oracle.js';
import { oracleVectors } from '../oracle-plan.js';
import type { ExactPlan } from './exact-plan.js';
import { balance, type Gauge } from './gauge.js';
import { losses, runLinear } from './run-linear.js';
import { runLog } from './run-log.js';
import { layOut, sharedCells } from './workbench.js';

/** Runs with fine losses, or in log space, before coarse ones are tried again. */
const patience = 25;

/**
 * An oracle that carries a plan out, each run in the first of these ways that is certain to lose nothing that matters: in linear space
 * with coarse losses; the same with the factors' peaks brought together; with fine losses; in log space, some ten times
 * slower. What served last is tried first: potentials move slowly from run to run.
 */
export const openExact = async (
  tree: JunctionTree,
  factors: readonly OracleFactor[],
  plan: ExactPlan,
  { threads = 2, workers = browserSpawn() }: Threads,
): Promise<MarginalOracle> => {
  const large = plan.cliques.some(({ table }) => table.cells >= sharedCells);
  const share = large && threads > 1 && workers !== undefined;
  const engine = await createEngine({ shared: share });
  const team = createTeam(engine, share ? { threads, spawn: workers } : { threads: 1 });
  const bench = layOut(plan, engine, team);
  const { attach, ...vectors } = oracleVectors(engine, factors, plan);

  let gauge: Gauge | undefined;
  let resting = 0;
  /** A run in linear space; where it cannot be trusted, what `otherwise` gives. */
  const linear = (lost: number, otherwise: () => number): number => {
    const logZ = runLinear(bench, { gauge, lost });
    return Number.isNaN(logZ) ? otherwise() : logZ;
  };
  const finely = () => linear(losses.fine, () => runLog(bench));

  return {
    tree,
    exact: true,
    ...vectors,
    run: (potentials, marginals) => {
      attach(potentials, marginals);
      if (resting > 0) {
        resting--;
        return finely();
      }
      return linear(losses.coarse, () => {
        gauge = balance(bench);
        return linear(losses.coarse, () => {
          resting = patience;
          return finely();
        });
      });
    },
    close: () => team.close(),
  };
};
