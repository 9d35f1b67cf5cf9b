import type { Running } from '../../../../domain/running.js';
import { atOnce, inTurns, type Turns } from '../../../../domain/turns.js';
import { createEngine } from '../../../../kernel/engine.js';
import { browserSpawn } from '../../../../kernel/spawn.js';
import { createTeam } from '../../../../kernel/team.js';
import type { Threads } from '../../../support/weighted-rows.js';
import type { JunctionTree } from '../../tree/junction-tree.js';
import type { MarginalOracle, OracleFactor } from '../marginal-oracle.js';
import { oracleVectors } from '../oracle-plan.js';
import type { ExactPlan } from './exact-plan.js';
import { balance, type Gauge } from './gauge.js';
import { readingBeliefs } from './read-beliefs.js';
import { losses, runningLinear } from './run-linear.js';
import { runningLog } from './run-log.js';
import { layOut, longCells, sharedCells } from './workbench.js';

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
  { threads = 2, workers = browserSpawn(), signal }: Threads & Pick<Running, 'signal'>,
): Promise<MarginalOracle> => {
  const holds = (cells: number): boolean => plan.cliques.some(({ table }) => table.cells >= cells);
  const isLong = holds(longCells);
  const share = holds(sharedCells) && threads > 1 && workers !== undefined;
  const engine = await createEngine({ shared: share });
  const team = createTeam(engine, share ? { threads, spawn: workers } : { threads: 1 });
  const bench = layOut(plan, engine, team);
  const { attach, ...vectors } = oracleVectors(engine, factors, plan);

  let gauge: Gauge | undefined;
  let resting = 0;
  let isLinear = false;
  /** A run in linear space; where it cannot be trusted, what `otherwise` gives. */
  function* linear(lost: number, otherwise: () => Turns<number>): Turns<number> {
    const logZ = yield* runningLinear(bench, { gauge, lost });
    isLinear = !Number.isNaN(logZ);
    return isLinear ? logZ : yield* otherwise();
  }
  const finely = () => linear(losses.fine, () => runningLog(bench));
  function* running(): Turns<number> {
    if (resting > 0) {
      resting--;
      return yield* finely();
    }
    return yield* linear(losses.coarse, function* () {
      gauge = balance(bench);
      return yield* linear(losses.coarse, function* () {
        resting = patience;
        return yield* finely();
      });
    });
  }

  return {
    tree,
    exact: true,
    ...vectors,
    run: (potentials, marginals) => {
      attach(potentials, marginals);
      return isLong ? inTurns(running(), { signal }) : atOnce(running());
    },
    beliefs: async (potentials, marginals) => {
      attach(potentials, marginals);
      const logZ = await inTurns(running(), { signal });
      return isLinear && Number.isFinite(logZ) ? inTurns(readingBeliefs(bench, tree), { signal }) : undefined;
    },
    close: () => team.close(),
  };
};
