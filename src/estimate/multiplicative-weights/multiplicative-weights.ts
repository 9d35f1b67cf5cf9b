import { InputError } from '../../domain/input-error.js';
import type { Region } from '../../kernel/arena.js';
import { createEngine } from '../../kernel/engine.js';
import { createPool } from '../../kernel/pool.js';
import { changeBytes, type ProjectionStep, stepBytes, writeChange, writeStep } from '../../kernel/projection.js';
import { browserSpawn } from '../../kernel/spawn.js';
import type { Threads } from '../../model/support/weighted-rows.js';
import type { MarginalPlan, PlanLeaf, PlanNode } from './plan.js';
import { rowFinder } from './rows.js';

/** Numbers of rows in kernel memory. */
export type RowList = Region<Uint32Array>;

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

/** Up to this part of the rows a change is followed; beyond it, making all sums anew is faster. */
const mostFollowed = 1 / 32;
/** After so many changes followed, the sums are made anew: rounding errors have no time to add up. */
const longestRun = 512;
/** Bytes kept ready for lists of rows. */
const listScratch = 2 ** 26;
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

/** The rows that an ascending list leaves out. */
const othersThan = (rows: Uint32Array, length: number): Uint32Array => {
  const others = new Uint32Array(length - rows.length);
  for (let row = 0, i = 0, next = 0; row < length; row++)
    if (i < rows.length && rows[i] === row) i++;
    else others[next++] = row;
  return others;
};

/** Bytes of an entry of a map to so many targets. */
const widthFor = (targets: number): 1 | 2 | 4 => (targets <= 0x100 ? 1 : targets <= 0x10000 ? 2 : 4);

/** Bytes of kernel memory that a plan takes, or a little more. */
const bytesOf = ({ root, held }: MarginalPlan, lanes: number): number => {
  const below = ({ children, leaves }: PlanNode): number =>
    leaves.reduce((sum, { map, marginal }) => sum + map.length * widthFor(held[marginal].length) + 128, 0) +
    children.reduce((sum, child) => sum + child.map.length * widthFor(child.count) + 128 + below(child), 0);
  const levels = root.count + lanes * largestAtDepth(root).reduce((sum, count) => sum + count, 0);
  return below(root) + 21 * levels + held.reduce((sum, { length }) => sum + 8 * length + 16, 0) + 2 ** 16;
};

/** Opens the plan in kernel memory at the weights of its support. */
export const weightedAnswers = async (
  plan: MarginalPlan,
  { threads = 2, workers = browserSpawn() }: Threads = {},
): Promise<WeightedAnswers> => {
  const { support, root, marginals, cells, held } = plan;
  const { length } = support;
  const lanes = workers === undefined || plan.cost < 2 ** 20 ? 1 : Math.max(1, threads);
  const engine = await createEngine({ shared: lanes > 1 });
  const pool = createPool(engine, { threads: lanes, spawn: workers });
  const { arena, kernels } = engine;
  // Memory grows in one step: thousands of small ones would each cost more than their filling.
  const mark = arena.mark();
  arena.allocate(bytesOf(plan, lanes) + Math.min(listScratch, 256 * length));
  arena.release(mark);
  const zeroed = (bytes: number): number => {
    const address = arena.allocate(bytes);
    kernels.clear(address, bytes);
    return address;
  };
  /** Addresses of each marginal's sums. */
  const tables = held.map((own) => zeroed(8 * own.length));

  const words = (address: number, count: number) => new Uint32Array(engine.memory.buffer, address, count);
  const levelOf = (entries: number): Level => {
    const change = arena.allocate(changeBytes);
    const parts = { list: arena.allocate(4 * entries + 4), delta: zeroed(8 * entries), marks: zeroed(entries) };
    writeChange(words(change, 4), parts);
    return { sums: arena.allocate(8 * entries), change };
  };
  const mapAt = (map: Uint32Array, targets: number): { map: number; width: number } => {
    const width = widthFor(targets);
    const region = width === 1 ? arena.u8(map.length) : width === 2 ? arena.u16(map.length) : arena.u32(map.length);
    region.view.set(map);
    return { map: region.address, width };
  };

  const rows = levelOf(length);
  const [list, delta, marks] = words(rows.change, 4).slice(1);

  /** The steps below a node depth first, so that one level of memory for each depth suffices. */
  const stepsBelow = (node: PlanNode, levels: readonly Level[]): ProjectionStep[] => {
    const from = { rows: node.count, source: levels[0].sums, change: levels[0].change };
    const leaf = ({ marginal, map }: PlanLeaf): ProjectionStep => {
      const count = held[marginal].length;
      return { ...mapAt(map, count), ...from, target: tables[marginal], cells: count, after: 0 };
    };
    const inner = (child: PlanNode): ProjectionStep[] => {
      const to = { target: levels[1].sums, cells: child.count, after: levels[1].change };
      return [{ ...mapAt(child.map, child.count), ...from, ...to }, ...stepsBelow(child, levels.slice(1))];
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
  const find = rowFinder(support, [...new Set(marginals.flat())]);
  const found = new Map<string, RowList>();
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

  /** Scales rows and notes by how much: for changes that will be followed. */
  const scaleNoted = (chosen: Uint32Array, factor: number): void => {
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

  const weightOf = ({ address, length: count }: RowList): number => kernels.sumAt(address, rows.sums, count);

  const refresh = async (): Promise<void> => {
    if (!(mass < largestMass && mass > 1 / largestMass)) restart(distribution());
    if (refreshes >= longestRun) all = true;
    mass = kernels.sum(rows.sums, length);
    words(rows.change, 1)[0] = changed;
    const way = all ? 'project' : 'follow';
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
      return mass;
    },
    rowsIn: (marginal, cell) => {
      const key = `${marginal}:${cell}`;
      const known = found.get(key);
      if (known !== undefined) return known;
      const listed = find(marginals[marginal], cell);
      const region = arena.u32(listed.length);
      region.view.set(listed);
      found.set(key, region);
      return region;
    },
    weightOf,
    scale: (chosen, c) => {
      // Scaling all other rows the other way is the same distribution; the fewer are followed, if any.
      const fewer = Math.min(chosen.length, length - chosen.length);
      if (all || changed + fewer > length * mostFollowed) {
        // Once too many rows have changed to be followed, there is no need to know which.
        all = true;
        mass += weightOf(chosen) * (Math.exp(c) - 1);
        kernels.scaleAt(chosen.address, Math.exp(c), rows.sums, chosen.length);
      } else if (chosen.length === fewer) scaleNoted(chosen.view, Math.exp(c));
      else scaleNoted(othersThan(chosen.view, length), Math.exp(-c));
    },
    restart,
    refresh,
    sums,
    sumOf: (marginal, cell) => {
      const own = held[marginal];
      let [low, high] = [0, own.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (own[middle] < cell) low = middle + 1;
        else high = middle;
      }
      return own[low] === cell ? sums(marginal)[low] : 0;
    },
    allSums: (marginal) => {
      const dense = new Float64Array(cells[marginal]);
      const own = sums(marginal);
      held[marginal].forEach((cell, i) => {
        dense[cell] = own[i];
      });
      return dense;
    },
    distribution,
    drift: async () => {
      await refresh();
      const before = held.map((_, m) => sums(m).slice());
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
