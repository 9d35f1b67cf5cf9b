import { placeOf } from '../../domain/place-of.js';
import type { Arena } from '../../kernel/arena.js';
import { createEngine } from '../../kernel/engine.js';
import { createPool } from '../../kernel/pool.js';
import { browserSpawn } from '../../kernel/spawn.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import { notedWeights, type RowList } from './noted-weights.js';
import { placePlan } from './place-plan.js';
import type { MarginalPlan } from './plan.js';
import { rowFinder } from './rows.js';

/**
 * Weights of a support's rows with the sums of many marginals, kept up to date while cells are scaled up and down. Weights are
 * unnormalised: divide by `mass`. What changed since the last `refresh` is followed through the plan, so a refresh costs as
 * many additions as tuples changed, and never more than evaluating the plan once.
 */
export interface WeightedAnswers {
  readonly plan: MarginalPlan;
  /** Sum of all weights at present. */
  readonly mass: number;
  /** The rows of one cell of a marginal, ascending, in kernel memory: kept, and not to be changed. */
  rowsIn(marginal: number, cell: number): RowList;
  /** Sum of the weights of some rows at present. */
  weightOf(rows: RowList): number;
  /** Multiplies the weights of these rows by e^c. The sums follow at the next `refresh`. */
  scale(rows: RowList, c: number): void;
  /** Starts over from these weights, which need not sum to 1. */
  restart(weights: ArrayLike<number>): void;
  /** Brings the sums of all marginals up to date. */
  refresh(): Promise<void>;
  /**
   * Sums of the weights in each of the cells of a marginal that the plan calls `held`, as of the last `refresh`: a view that
   * the next refresh overwrites. All other cells have no weight.
   */
  sums(marginal: number): Float64Array;
  /** The sum of the weights in one cell of a marginal as of the last `refresh`. */
  sumOf(marginal: number, cell: number): number;
  /** Sums of all cells of a marginal, a new array. */
  allSums(marginal: number): Float64Array;
  /** Probabilities of the rows at present, a new array. */
  distribution(): Float64Array;
  /** Largest difference of a cell's probability from a fresh evaluation of everything; the sums are fresh afterwards. */
  drift(): Promise<number>;
  close(): void;
}

/** After so many changes followed, the sums are made anew: rounding errors have no time to add up. */
const longestRun = 512;

/** Opens the plan in kernel memory at the weights of its support. */
export const weightedAnswers = async (
  plan: MarginalPlan,
  { threads = 2, workers = browserSpawn() }: Threads = {},
): Promise<WeightedAnswers> => {
  const { cells, held } = plan;
  const lanes = workers === undefined || plan.cost < 2 ** 20 ? 1 : Math.max(1, threads);
  const engine = await createEngine({ shared: lanes > 1 });
  const pool = createPool(engine, { threads: lanes, spawn: workers });
  const { rows, tables, programs } = placePlan(plan, engine, lanes);
  const weights = notedWeights(engine, rows, plan.support.weights);

  /** Refreshes since all sums were made anew. */
  let followed = 0;
  const refresh = async (): Promise<void> => {
    if (followed >= longestRun) weights.spoil();
    weights.present();
    const way = weights.stale ? 'project' : 'follow';
    followed = way === 'project' ? 0 : followed + 1;
    await Promise.all(programs.map(({ address, steps }) => pool.run([[way, address, steps]])));
    weights.forget();
  };

  /** Views are kept as long as the memory does not move: thousands of new ones a round would keep the collector busy. */
  const views: Float64Array[] = [];
  const sums = (marginal: number): Float64Array => {
    const { buffer } = engine.memory;
    if (views[marginal]?.buffer !== buffer)
      views[marginal] = new Float64Array(buffer, tables[marginal], held[marginal].length);
    return views[marginal];
  };

  return {
    plan,
    get mass() {
      return weights.mass;
    },
    rowsIn: rowLists(plan, engine.arena),
    weightOf: weights.weightOf,
    scale: weights.scale,
    restart: weights.restart,
    distribution: weights.distribution,
    refresh,
    sums,
    sumOf: (marginal, cell) => {
      const at = placeOf(held[marginal], cell);
      return at < 0 ? 0 : sums(marginal)[at];
    },
    allSums: (marginal) => {
      const dense = new Float64Array(cells[marginal]);
      const own = sums(marginal);
      held[marginal].forEach((cell, i) => {
        dense[cell] = own[i];
      });
      return dense;
    },
    drift: async () => {
      await refresh();
      const before = held.map((_, m) => sums(m).slice());
      weights.spoil();
      await refresh();
      let largest = 0;
      for (const [m, old] of before.entries()) {
        const fresh = sums(m);
        for (let cell = 0; cell < old.length; cell++) largest = Math.max(largest, Math.abs(old[cell] - fresh[cell]));
      }
      return largest / weights.mass;
    },
    close: () => pool.close(),
  };
};

/** Finds the rows of a cell of a marginal, each list once. */
const rowLists = ({ support, marginals }: MarginalPlan, arena: Arena): WeightedAnswers['rowsIn'] => {
  const find = rowFinder(support, [...new Set(marginals.flat())]);
  const found = new Map<string, RowList>();
  return (marginal, cell) => {
    const key = `${marginal}:${cell}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    const listed = find(marginals[marginal], cell);
    const region = arena.u32(listed.length);
    region.view.set(listed);
    found.set(key, region);
    return region;
  };
};
