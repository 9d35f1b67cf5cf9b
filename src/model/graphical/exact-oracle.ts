import type { Region } from '../../kernel/arena.js';
import { createEngine } from '../../kernel/engine.js';
import { createPool, type Pool } from '../../kernel/pool.js';
import { browserSpawn } from '../../kernel/spawn.js';
import type { Threads } from '../weighted-rows.js';
import type { ExactPlan } from './exact-plan.js';
import type { JunctionTree } from './junction-tree.js';
import type { MarginalOracle, OracleFactor } from './marginal-oracle.js';
import { runLinear } from './run-linear.js';
import { runLog } from './run-log.js';
import { type Batch, layOut, type Run, sharedCells } from './workbench.js';

const shareBatch = async (run: Run, first: Batch, pool: Pool): Promise<number> => {
  for (let batch = first; ; ) {
    const results = await Promise.all(batch.map((calls) => pool.run(calls)));
    const next = run.next(results);
    if (next.done) return next.value;
    batch = next.value;
  }
};

/** An oracle that carries a plan out: in linear space, and in log space where that could lose something. */
export const openExact = async (
  tree: JunctionTree,
  factors: readonly OracleFactor[],
  plan: ExactPlan,
  { threads = 2, workers = browserSpawn() }: Threads,
): Promise<MarginalOracle> => {
  const large = plan.cliques.some(({ table }) => table.cells >= sharedCells);
  const share = large && threads > 1 && workers !== undefined;
  const engine = await createEngine({ shared: share });
  const pool = createPool(engine, share ? { threads, spawn: workers } : { threads: 1 });
  const bench = layOut(plan, engine, pool.threads);
  const length = factors.reduce((cells, factor) => cells + factor.cells, 0);

  const aim = (potentials: Region<Float64Array>, marginals: Region<Float64Array>): void => {
    for (const [index, { offset }] of factors.entries()) {
      plan.factors[index].potential.address = potentials.address + 8 * offset;
      plan.factors[index].table.address = marginals.address + 8 * offset;
    }
  };

  return {
    tree,
    exact: true,
    engine,
    factors,
    length,
    vector: () => {
      const vector = engine.arena.f64(length);
      vector.view.fill(0);
      return vector;
    },
    run: (potentials, marginals) => {
      aim(potentials, marginals);
      const finish = (value: number): number => (Number.isNaN(value) ? runLog(bench) : value);
      const run = runLinear(bench);
      const first = run.next();
      return first.done ? finish(first.value) : shareBatch(run, first.value, pool).then(finish);
    },
    close: () => pool.close(),
  };
};
