import { InputError } from '../domain/input-error.js';
import { createEngine } from '../kernel/engine.js';
import { createPool } from '../kernel/pool.js';
import { changeBytes, type ProjectionStep, stepBytes, writeChange, writeStep } from '../kernel/projection.js';
import { browserSpawn } from '../kernel/spawn.js';
import type { Threads } from '../model/weighted-rows.js';
import type { MarginalPlan, PlanLeaf, PlanNode } from './multiplicative-weights-plan.js';
import { rowFinder } from './multiplicative-weights-rows.js';

/**
 * Weights of a support's rows with the sums of many marginals, kept up to date while cells are scaled up and down. Weights are
 * unnormalised: divide by `mass`. What changed since the last `refresh` is followed through the plan, so a refresh costs as
 * many additions as tuples changed, and never more than evaluating the plan once.
 */
export interface WeightedAnswers {
  readonly plan: MarginalPlan;
  /** Sum of all weights at present. */
  readonly mass: number;
  /** The rows of one cell of a marginal, ascending; kept, not to be changed. */
  rowsIn(marginal: number, cell: number): Uint32Array;
  /** Sum of the weights of some rows at present. */
  weightOf(rows: Uint32Array): number;
  /** Multiplies the weights of these rows by e^c. The sums follow at the next `refresh`. */
  scale(rows: Uint32Array, c: number): void;
  /** Starts over from these weights, which need not sum to 1. */
  restart(weights: ArrayLike<number>): void;
  /** Brings the sums of all marginals up to date. */
  refresh(): Promise<void>;
  /** Sums of the weights in each cell of a marginal as of the last `refresh`: a view that the next refresh overwrites. */
  sums(marginal: number): Float64Array;
  /** Probabilities of the rows at present, a new array. */
  distribution(): Float64Array;
  /** Largest difference of a cell's probability from a fresh evaluation of everything; the sums are fresh afterwards. */
  drift(): Promise<number>;
  close(): void;
}

/** Up to this part of the rows a change is followed; beyond it, making all sums anew is faster. */
const mostFollowed = 1 / 32;
/** After so many changes followed, the sums are made anew: rounding errors have no time to add up. */
const longestRun = 512;
/** Beyond this mass, or below its inverse, weights are normalised before a double could over- or underflow. */
const largestMass = 2 ** 64;

/** Memory of one depth of the tree: sums, and their change. */
interface Level {
  readonly sums: number;
  readonly change: number;
}

/** The most tuples of a node at each depth below a node. */
const largestAtDepth = ({ children }: PlanNode): number[] => {
  const most: number[] = [];
  for (const child of children)
    for (const [depth, count] of [child.count, ...largestAtDepth(child)].entries())
      most[depth] = Math.max(most[depth] ?? 0, count);
  return most;
};

/** Additions of evaluating everything below a node. */
const costBelow = ({ count, children, leaves }: PlanNode): number =>
  (children.length + leaves.length) * count + children.reduce((sum, child) => sum + costBelow(child), 0);

/** The branches of the root, the most expensive first to the lane that has the least to do. */
const shareOut = (root: PlanNode, lanes: number): PlanNode[][] => {
  const branches: PlanNode[] = [
    ...root.leaves.map((leaf) => ({ ...root, leaves: [leaf], children: [] })),
    ...root.children.map((child) => ({ ...root, leaves: [], children: [child] })),
  ];
  const cost = new Map(branches.map((branch) => [branch, costBelow(branch)]));
  const shares = Array.from({ length: lanes }, () => ({ own: [] as PlanNode[], load: 0 }));
  for (const branch of branches.toSorted((a, b) => cost.get(b)! - cost.get(a)!)) {
    const least = shares.reduce((a, b) => (b.load < a.load ? b : a));
    least.own.push(branch);
    least.load += cost.get(branch)!;
  }
  return shares.map(({ own }) => own);
};

/** The cells that a map names, ascending, or undefined when they are so many that clearing all is cheaper. */
const touchedBy = (map: Uint32Array, cells: number): Uint32Array | undefined => {
  const seen = new Uint8Array(cells);
  let count = 0;
  for (const cell of map) {
    count += 1 - seen[cell];
    seen[cell] = 1;
  }
  if (3 * count > cells) return undefined;
  const list = new Uint32Array(count);
  for (let cell = 0, next = 0; cell < cells; cell++) if (seen[cell] === 1) list[next++] = cell;
  return list;
};

/** Bytes of kernel memory that a plan takes, or a little more. */
const bytesOf = ({ root, cells }: MarginalPlan, lanes: number): number => {
  const below = ({ children, leaves }: PlanNode): number =>
    leaves.reduce((sum, { map, cells: count }) => sum + map.length * (count <= 0x10000 ? 2 : 4) + 128, 0) +
    children.reduce((sum, child) => sum + child.map.length * (child.count <= 0x10000 ? 2 : 4) + 128 + below(child), 0);
  const levels = root.count + lanes * largestAtDepth(root).reduce((sum, count) => sum + count, 0);
  return below(root) + 21 * levels + cells.reduce((sum, count) => sum + 10 * count + 64, 0) + 2 ** 16;
};

/** Opens the plan in kernel memory at the weights of its support. `finder` may be shared by several on the same support. */
export const weightedAnswers = async (
  plan: MarginalPlan,
  { threads = 2, workers = browserSpawn() }: Threads = {},
  finder = rowFinder(plan.support),
): Promise<WeightedAnswers> => {
  const { support, root, marginals, cells } = plan;
  const { length } = support;
  const lanes = workers === undefined || plan.cost < 2 ** 20 ? 1 : Math.max(1, threads);
  const engine = await createEngine({ shared: lanes > 1 });
  const pool = createPool(engine, { threads: lanes, spawn: workers });
  const { arena, kernels } = engine;
  // Memory grows in one step: thousands of small ones would each cost more than their filling.
  const mark = arena.mark();
  arena.allocate(bytesOf(plan, lanes));
  arena.release(mark);
  /** Addresses of each marginal's sums. */
  const tables = cells.map((count) => arena.allocate(8 * count));
  const zeroed = (bytes: number): number => {
    const address = arena.allocate(bytes);
    kernels.clear(address, bytes);
    return address;
  };
  for (const [m, count] of cells.entries()) kernels.clear(tables[m], 8 * count);

  const words = (address: number, count: number) => new Uint32Array(engine.memory.buffer, address, count);
  const levelOf = (entries: number): Level => {
    const change = arena.allocate(changeBytes);
    const parts = { list: arena.allocate(4 * entries + 4), delta: zeroed(8 * entries), marks: zeroed(entries) };
    writeChange(words(change, 4), parts);
    return { sums: arena.allocate(8 * entries), change };
  };
  const mapAt = (map: Uint32Array, targets: number): { map: number; width: number } => {
    const region = targets <= 0x10000 ? arena.u16(map.length) : arena.u32(map.length);
    region.view.set(map);
    return { map: region.address, width: targets <= 0x10000 ? 2 : 4 };
  };

  const rows = levelOf(length);
  const [list, delta, marks] = words(rows.change, 4).slice(1);
  const none = { touched: 0, touchedCount: 0 };

  /** The steps below a node depth first, so that one level of memory for each depth suffices. */
  const stepsBelow = (node: PlanNode, levels: readonly Level[]): ProjectionStep[] => {
    const from = { rows: node.count, source: levels[0].sums, change: levels[0].change };
    const leaf = ({ marginal, cells: count, map }: PlanLeaf): ProjectionStep => {
      const seen = touchedBy(map, count);
      const touched = seen === undefined ? none : { touched: mapAt(seen, count).map, touchedCount: seen.length };
      return { ...mapAt(map, count), ...from, target: tables[marginal], cells: count, after: 0, ...touched };
    };
    const inner = (child: PlanNode): ProjectionStep[] => {
      const to = { target: levels[1].sums, cells: child.count, after: levels[1].change };
      return [{ ...mapAt(child.map, child.count), ...from, ...to, ...none }, ...stepsBelow(child, levels.slice(1))];
    };
    return [...node.leaves.map(leaf), ...node.children.flatMap(inner)];
  };

  const largest = largestAtDepth(root);
  const programs = shareOut(root, lanes).map((own) => {
    const levels = [rows, ...largest.map(levelOf)];
    const steps = own.flatMap((piece) => stepsBelow(piece, levels));
    const address = arena.allocate(stepBytes * steps.length);
    for (const [i, step] of steps.entries()) writeStep(words(address + stepBytes * i, stepBytes / 4), step);
    return { address, steps: steps.length };
  });

  let mass = 1;
  let changed = 0;
  let all = true;
  let refreshes = 0;
  const found = new Map<string, Uint32Array>();
  const weights = () => new Float64Array(engine.memory.buffer, rows.sums, length);
  weights().set(support.weights);

  const restart = (given: ArrayLike<number>): void => {
    mass = 0;
    const own = weights();
    for (let row = 0; row < length; row++) {
      own[row] = given[row];
      mass += given[row];
    }
    if (!(mass > 0 && mass < Number.POSITIVE_INFINITY))
      throw new InputError(`weights: must have a positive finite sum, got ${mass}`);
    all = true;
  };

  const distribution = (): Float64Array => {
    const sum = kernels.sum(rows.sums, length);
    return weights().map((weight) => weight / sum);
  };

  const scaleRows = (chosen: Uint32Array, factor: number): void => {
    const own = weights();
    const listed = words(list, length);
    const differences = new Float64Array(engine.memory.buffer, delta, length);
    const marked = new Uint8Array(engine.memory.buffer, marks, length);
    for (const row of chosen) {
      const difference = own[row] * factor - own[row];
      own[row] += difference;
      mass += difference;
      differences[row] += difference;
      if (marked[row] === 0) {
        marked[row] = 1;
        listed[changed++] = row;
      }
    }
  };

  const refresh = async (): Promise<void> => {
    if (!(mass < largestMass && mass > 1 / largestMass)) restart(distribution());
    if (refreshes >= longestRun) all = true;
    mass = kernels.sum(rows.sums, length);
    words(rows.change, 1)[0] = changed;
    const way: 'project' | 'follow' = all || changed > length * mostFollowed ? 'project' : 'follow';
    refreshes = way === 'project' ? 0 : refreshes + 1;
    await Promise.all(programs.map(({ address, steps }) => pool.run([[way, address, steps]])));
    const differences = new Float64Array(engine.memory.buffer, delta, length);
    const marked = new Uint8Array(engine.memory.buffer, marks, length);
    for (const row of words(list, changed)) {
      differences[row] = 0;
      marked[row] = 0;
    }
    changed = 0;
    all = false;
  };

  const sums = (marginal: number): Float64Array =>
    new Float64Array(engine.memory.buffer, tables[marginal], cells[marginal]);

  return {
    plan,
    get mass() {
      return mass;
    },
    rowsIn: (marginal, cell) => {
      const key = `${marginal}:${cell}`;
      const rows = found.get(key) ?? finder(marginals[marginal], cell);
      found.set(key, rows);
      return rows;
    },
    weightOf: (rows) => {
      const own = weights();
      let sum = 0;
      for (const row of rows) sum += own[row];
      return sum;
    },
    scale: (rows, c) => {
      // Scaling all other rows the other way is the same distribution; the shorter list is the cheaper one.
      if (rows.length <= length / 2) scaleRows(rows, Math.exp(c));
      else {
        const others = new Uint32Array(length - rows.length);
        let next = 0;
        for (let row = 0, i = 0; row < length; row++)
          if (i < rows.length && rows[i] === row) i++;
          else others[next++] = row;
        scaleRows(others, Math.exp(-c));
      }
    },
    restart,
    refresh,
    sums,
    distribution,
    drift: async () => {
      await refresh();
      const before = cells.map((_, m) => sums(m).slice());
      all = true;
      await refresh();
      let largest = 0;
      for (const [m, old] of before.entries()) {
        const fresh = sums(m);
        for (let cell = 0; cell < old.length; cell++) largest = Math.max(largest, Math.abs(old[cell] - fresh[cell]));
      }
      return largest / mass;
    },
    close: () => pool.close(),
  };
};
