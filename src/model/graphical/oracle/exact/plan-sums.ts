import { type Table, type TableStep, table, tableStep, union } from '../table-step.js';
import { bitsOf, joinClosest } from './join-closest.js';

/** Tables to be summed out of a large one directly, and the steps that make all others of those. */
export interface Sums {
  readonly direct: readonly Table[];
  readonly steps: readonly TableStep[];
  /** The tables in between, to be given memory. */
  readonly made: readonly Table[];
}

interface Node {
  readonly table: Table;
  readonly set: number;
  readonly below: readonly Node[];
}

/**
 * Sums for `targets` with few passes over a table of `cells`: the two that together span the fewest cells are summed out of a table
 * of both, as long as that has at most half of the cells. `unit` is the table of no attribute.
 */
export const planSums = (targets: readonly Table[], cells: number, unit: Table, sizes: readonly number[]): Sums => {
  const bits = bitsOf(union(...targets.map(({ attributes }) => attributes)), sizes);
  const nodes: (Node | undefined)[] = targets.map((each) => ({
    table: each,
    set: bits.of(each.attributes),
    below: [],
  }));
  const made: Table[] = [];
  const sets = nodes.map((node) => node!.set);
  joinClosest(sets, bits, 1, cells / 2, (i, j, both) => {
    const [a, b] = [nodes[i]!, nodes[j]!];
    nodes[j] = undefined;
    if (a.set === both) nodes[i] = { ...a, below: [...a.below, b] };
    else if (b.set === both) nodes[i] = { ...b, below: [...b.below, a] };
    else {
      const joint = table(bits.attributes(both), sizes);
      made.push(joint);
      nodes[i] = { table: joint, set: both, below: [a, b] };
    }
  });
  const steps: TableStep[] = [];
  const descend = (node: Node): void => {
    for (const each of node.below) {
      steps.push(tableStep({ a: node.table, b: unit, sums: each.table }, sizes));
      descend(each);
    }
  };
  const direct = nodes.filter((node) => node !== undefined);
  direct.forEach(descend);
  return { direct: direct.map((node) => node.table), steps, made };
};
