import type { Region } from '../../../kernel/arena.js';
import { createEngine, type Engine } from '../../../kernel/engine.js';
import { shapeWords, writeShape } from '../../../kernel/table-shape.js';
import type { JunctionTree } from '../tree/junction-tree.js';
import { logSum } from './log-sum.js';
import type { MarginalOracle, OracleFactor } from './marginal-oracle.js';
import { type FactorsPlan, planFactors } from './plan-factors.js';
import { regionGraph } from './region-graph.js';
import { type Table, type TableStep, table, tableStep } from './table-step.js';

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

interface SeparatorPlan {
  readonly ends: readonly SeparatorEnd[];
  /** Log marginal on which the ends agree. */
  readonly joint: Table;
  readonly count: number;
}

/** A plan of tree-reweighted belief propagation: see docs/graphical.md. */
export interface ApproximatePlan extends FactorsPlan {
  readonly separators: readonly SeparatorPlan[];
  /** Maximal factors, as indices, and how often the entropy of each counts. */
  readonly regions: readonly number[];
  readonly weights: readonly number[];
  /** Each region's log-sum over all cells. */
  readonly totals: readonly TableStep[];
  readonly unit: Table;
  readonly peaks: Table;
  readonly kept: readonly Table[];
  readonly free: number;
  /** Bytes of messages and two vectors. */
  readonly bytes: number;
}

/** Stands for -Infinity, which differences could not bear; the exponential of either is 0. */
const impossible = -1e6;
/** Probabilities of a separator may differ by this between regions. */
const tolerance = 1e-11;
const sweeps = 2000;

/** Plans for factors given as places in the tree's order; no memory is allocated. */
export const planApproximate = (tree: JunctionTree, factorSets: readonly (readonly number[])[]): ApproximatePlan => {
  const size = new Map(tree.domain.attributes.map((attribute) => [attribute.name, attribute.size]));
  const sizes = tree.order.map((name) => size.get(name)!);
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
  const graph = regionGraph(regions.map((index) => sets[index]));
  const separators = graph.separators.map(({ attributes, regions: holders, count }): SeparatorPlan => {
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
  const peaks: Table = {
    attributes: [],
    cells: kept.reduce((most, { cells }) => Math.max(most, cells), 1),
    address: 0,
  };
  kept.push(peaks);
  const bytesOf = (list: readonly Table[]): number => list.reduce((bytes, { cells }) => bytes + 8 * cells + 16, 0);
  const vectors = 2 * bytesOf(plan.factors.map((factor) => factor.table));
  const bytes = bytesOf(kept) + plan.passing.map(bytesOf).reduce((most, each) => Math.max(most, each), 0) + vectors;
  const { weights } = graph;
  return { ...plan, separators, regions, weights, totals, unit, peaks, kept, free, bytes };
};

const layOut = (plan: ApproximatePlan, { arena }: Engine): void => {
  for (const each of plan.kept) {
    const region = arena.f64(each.cells);
    region.view.fill(0);
    each.address = region.address;
  }
  const sizes = plan.passing.map((list) => list.reduce((bytes, { cells }) => bytes + 8 * cells, 0));
  const scratch = arena.allocate(sizes.reduce((most, each) => Math.max(most, each), 0));
  for (const list of plan.passing) {
    let at = scratch;
    for (const each of list) {
      each.address = at;
      at += 8 * each.cells;
    }
  }
  const steps = [
    ...plan.factors.flatMap(({ gather, spread }) => (spread ? [...gather, spread] : gather)),
    ...plan.separators.flatMap(({ ends }) => ends.flatMap(({ project, spread }) => [project, spread])),
    ...plan.totals,
  ];
  const words = arena.u32(steps.reduce((sum, { axes }) => sum + shapeWords(axes.length), 0));
  let at = 0;
  for (const step of steps) {
    const end = at + shapeWords(step.axes.length);
    writeShape(words.view.subarray(at, end), step.axes);
    step.shape = words.address + 4 * at;
    at = end;
  }
};

/** One run: an upper bound of log Z, equal to it where the factors have no cycle. */
const runApproximate = (plan: ApproximatePlan, engine: Engine): number => {
  const { kernels, memory } = engine;
  const numbers = ({ address, cells }: Table): Float64Array => new Float64Array(memory.buffer, address, cells);
  const { factors, separators, regions, weights, totals } = plan;
  const unit = numbers(plan.unit);
  unit[0] = 0;

  // A region's log belief is (potential + messages) / weight, up to a constant.
  for (const index of plan.inward)
    for (const { a, b, target, shape } of factors[index].gather)
      kernels.addTables(shape, a.address, b.address, target!.address);
  regions.forEach((index, region) => {
    const { table, potential, gather } = factors[index];
    const log = numbers(table);
    if (gather.length === 0) log.set(numbers(potential));
    for (let i = 0; i < log.length; i++) if (log[i] < impossible) log[i] = impossible;
    kernels.scale(table.address, 1 / weights[region], table.cells);
  });
  for (const { ends } of separators)
    for (const { region, message, change, spread } of ends) {
      numbers(change).set(numbers(message));
      kernels.scale(change.address, 1 / weights[region], change.cells);
      kernels.addTables(spread.shape, spread.a.address, change.address, spread.a.address);
    }

  /** Turns logarithms into those of probabilities. */
  const normalise = (logs: Float64Array): void => {
    const peak = logs.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
    const shift = peak + Math.log(logs.reduce((sum, value) => sum + Math.exp(value - peak), 0));
    for (let i = 0; i < logs.length; i++) logs[i] -= shift;
  };

  /** Makes the regions of a separator agree, all the way or part of it; by how much their probabilities differed. */
  const settle = ({ ends, joint, count }: SeparatorPlan, damping: number): number => {
    const sum = numbers(joint).fill(0);
    let power = count;
    for (const { region, message, change, project } of ends) {
      logSum(engine, project, plan.peaks.address);
      const [log, multiplier] = [numbers(change), numbers(message)];
      normalise(log);
      for (let s = 0; s < sum.length; s++) sum[s] += weights[region] * log[s] - multiplier[s];
      power += weights[region];
    }
    kernels.scale(joint.address, 1 / power, joint.cells);
    normalise(sum);
    let gap = 0;
    for (const { region, message, change, spread } of ends) {
      const [log, multiplier] = [numbers(change), numbers(message)];
      for (let s = 0; s < sum.length; s++) {
        gap = Math.max(gap, Math.abs(Math.exp(log[s]) - Math.exp(sum[s])));
        log[s] = damping * (sum[s] - log[s]);
        multiplier[s] += weights[region] * log[s];
      }
      kernels.addTables(spread.shape, spread.a.address, change.address, spread.a.address);
    }
    return gap;
  };

  let damping = 1;
  let before = Number.POSITIVE_INFINITY;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let gap = 0;
    for (const separator of separators) gap = Math.max(gap, settle(separator, damping));
    for (const separator of separators.toReversed()) gap = Math.max(gap, settle(separator, damping));
    if (!(gap > tolerance)) break;
    if (gap > before) damping = Math.max(damping / 2, 1 / 8);
    before = gap;
  }

  // log Z = sum of weight A over regions - sum of <messages, b> + count <b, log b> over separators, with A a region's log-sum.
  let logZ = plan.free;
  totals.forEach((step, region) => {
    logSum(engine, step, plan.peaks.address);
    logZ += weights[region] * numbers(step.sums!)[0];
  });
  for (const { ends, joint, count } of separators) {
    const log = numbers(joint);
    for (let s = 0; s < log.length; s++) {
      const probability = Math.exp(log[s]);
      if (probability === 0) continue;
      const messages = ends.reduce((sum, { message }) => sum + numbers(message)[s], 0);
      logZ -= probability * (messages + count * log[s]);
    }
  }
  unit[0] = 1;
  regions.forEach((index, region) => {
    const { address, cells } = factors[index].table;
    kernels.expShift(address, numbers(totals[region].sums!)[0], -708, address, cells);
  });
  for (let i = plan.inward.length - 1; i >= 0; i--) {
    const { spread } = factors[plan.inward[i]];
    if (!spread) continue;
    kernels.clear(spread.sums!.address, 8 * spread.sums!.cells);
    kernels.sumTables(spread.shape, spread.a.address, spread.b.address, spread.sums!.address);
  }
  return logZ;
};

/** An oracle of pseudo-marginals: consistent wherever factors overlap, and those of the distribution where the factors have a tree. */
export const openApproximate = async (
  tree: JunctionTree,
  factors: readonly OracleFactor[],
  plan: ApproximatePlan,
): Promise<MarginalOracle> => {
  const engine = await createEngine();
  layOut(plan, engine);
  const length = factors.reduce((cells, factor) => cells + factor.cells, 0);
  const aim = (potentials: Region<Float64Array>, marginals: Region<Float64Array>): void => {
    for (const [index, { offset }] of factors.entries()) {
      plan.factors[index].potential.address = potentials.address + 8 * offset;
      plan.factors[index].table.address = marginals.address + 8 * offset;
    }
  };
  return {
    tree,
    exact: false,
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
      return runApproximate(plan, engine);
    },
    close: () => {},
  };
};
