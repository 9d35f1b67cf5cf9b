import type { Engine } from '../../kernel/engine.js';
import { changeBytes, type ProjectionStep, stepBytes, writeChange, writeStep } from '../../kernel/projection.js';
import type { MarginalPlan, PlanLeaf, PlanNode } from './plan.js';

/** Memory of one depth of the tree: addresses of its sums, and of their change. */
export interface Level {
  readonly sums: number;
  readonly change: number;
}

/** A plan in kernel memory. */
export interface PlacedPlan {
  /** The rows' own weights, and their change. */
  readonly rows: Level;
  /** Addresses of each marginal's sums. */
  readonly tables: readonly number[];
  /** Steps for the kernels `project` and `follow`, one list for each lane: together they make all sums. */
  readonly programs: readonly { readonly address: number; readonly steps: number }[];
}

/** Bytes kept ready for lists of rows. */
const listScratch = 2 ** 26;

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

/** Gives a plan memory for so many lanes; the rows' weights are not set yet. */
export const placePlan = (plan: MarginalPlan, { arena, kernels, memory }: Engine, lanes: number): PlacedPlan => {
  const { support, root, held } = plan;
  // Memory grows in one step: thousands of small ones would each cost more than their filling.
  const mark = arena.mark();
  arena.allocate(bytesOf(plan, lanes) + Math.min(listScratch, 256 * support.length));
  arena.release(mark);
  const zeroed = (bytes: number): number => {
    const address = arena.allocate(bytes);
    kernels.clear(address, bytes);
    return address;
  };
  const tables = held.map((own) => zeroed(8 * own.length));

  const words = (address: number, count: number) => new Uint32Array(memory.buffer, address, count);
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

  const rows = levelOf(support.length);
  const largest = largestAtDepth(root);
  const programs = shareOut(root, lanes).map((own) => {
    const levels = [rows, ...largest.map(levelOf)];
    const steps = own.flatMap((piece) => stepsBelow(piece, levels));
    const address = arena.allocate(stepBytes * steps.length);
    for (const [i, step] of steps.entries()) writeStep(words(address + stepBytes * i, stepBytes / 4), step);
    return { address, steps: steps.length };
  });
  return { rows, tables, programs };
};
