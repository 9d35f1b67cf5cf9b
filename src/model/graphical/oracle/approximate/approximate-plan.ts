import { sizesOf } from '../../../../domain/domain.js';
import type { JunctionTree } from '../../tree/junction-tree.js';
import { type OraclePlan, planBytes, scratchTable } from '../oracle-plan.js';
import { planFactors } from '../plan-factors.js';
import { type Table, type TableStep, table, tableStep } from '../table-step.js';
import { regionGraph } from './region-graph.js';

/** A region's side of a separator. */
interface SeparatorEnd {
  readonly region: number;
  /** The multiplier of the region's consistency; kept from run to run, as the start of the next. */
  readonly message: Table;
  /** Log marginal of the separator in the region; then what the region changes by. */
  readonly change: Table;
  readonly project: TableStep;
  readonly spread: TableStep;
}

export interface SeparatorPlan {
  readonly ends: readonly SeparatorEnd[];
  /** Log marginal on which the ends agree. */
  readonly joint: Table;
  readonly count: number;
}

/** A plan of tree-reweighted belief propagation: see docs/graphical.md. */
export interface ApproximatePlan extends OraclePlan {
  readonly separators: readonly SeparatorPlan[];
  /** Maximal factors, as indices, and how often the entropy of each counts. */
  readonly regions: readonly number[];
  readonly weights: readonly number[];
  /** Each region's log-sum over all cells. */
  readonly totals: readonly TableStep[];
}

/** Plans for factors given as places in the tree's order; no memory is allocated. */
export const planApproximate = (tree: JunctionTree, factorSets: readonly (readonly number[])[]): ApproximatePlan => {
  const sizes = sizesOf(tree.domain, tree.order);
  const unit = table([], sizes);
  const sets = factorSets.map((set) => set.filter((attribute) => sizes[attribute] > 1));
  const plan = planFactors(sets, unit, sizes);
  const regions = plan.factors.flatMap(({ spread }, index) => (spread ? [] : [index]));
  const kept: Table[] = [unit];
  const keep = (attributes: readonly number[]): Table => {
    const made = table(attributes, sizes);
    kept.push(made);
    return made;
  };
  const { separators: shared, weights } = regionGraph(regions.map((index) => sets[index]));
  const separators = shared.map(({ attributes, regions: holders, count }): SeparatorPlan => {
    const ends = holders.map((end): SeparatorEnd => {
      const region = plan.factors[regions[end]].table;
      const [message, change] = [keep(attributes), keep(attributes)];
      return {
        region: end,
        message,
        change,
        project: tableStep({ a: region, b: unit, sums: change }, sizes),
        spread: tableStep({ a: region, b: change, target: region }, sizes),
      };
    });
    return { ends, joint: keep(attributes), count };
  });
  const totals = regions.map((index) => tableStep({ a: plan.factors[index].table, b: unit, sums: keep([]) }, sizes));
  const covered = new Set(sets.flat());
  const free = sizes.reduce((sum, cells, attribute) => (covered.has(attribute) ? sum : sum + Math.log(cells)), 0);
  const peaks = scratchTable(kept);
  kept.push(peaks);
  const bytes = planBytes({ ...plan, kept });
  return { ...plan, separators, regions, weights, totals, unit, peaks, kept, free, bytes };
};
