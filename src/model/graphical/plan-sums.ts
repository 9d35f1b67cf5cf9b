import { includes, type Table, type TableStep, table, tableStep, union } from './table-step.js';

/** Tables to be summed out of a large one directly, and the steps that make all others of those. */
export interface Sums {
  readonly direct: readonly Table[];
  readonly steps: readonly TableStep[];
  /** The tables in between, to be given memory. */
  readonly made: readonly Table[];
}

interface Node {
  readonly table: Table;
  readonly below: readonly Node[];
}

/**
 * Sums for `targets` with few passes over a table of `cells`: the two that together span the fewest cells are summed out of a table
 * of both, as long as that has at most half of the cells. `unit` is the table of no attribute.
 */
export const planSums = (targets: readonly Table[], cells: number, unit: Table, sizes: readonly number[]): Sums => {
  let nodes: Node[] = targets.map((each) => ({ table: each, below: [] }));
  const made: Table[] = [];
  while (nodes.length > 1) {
    let best = table([], sizes);
    let least = Number.POSITIVE_INFINITY;
    let pair: [Node, Node] = [nodes[0], nodes[1]];
    for (let y = 1; y < nodes.length; y++)
      for (let x = 0; x < y; x++) {
        const both = table(union(nodes[x].table.attributes, nodes[y].table.attributes), sizes);
        if (both.cells < least) [best, least, pair] = [both, both.cells, [nodes[x], nodes[y]]];
      }
    if (least > cells / 2) break;
    const [wide, other] = includes(pair[0].table.attributes, pair[1].table.attributes) ? pair : [pair[1], pair[0]];
    const holds = includes(wide.table.attributes, other.table.attributes);
    const joint: Node = holds ? { table: wide.table, below: [...wide.below, other] } : { table: best, below: pair };
    if (!holds) made.push(best);
    nodes = [...nodes.filter((node) => !pair.includes(node)), joint];
  }
  const steps: TableStep[] = [];
  const descend = (node: Node): void => {
    for (const each of node.below) {
      steps.push(tableStep({ a: node.table, b: unit, sums: each.table }, sizes));
      descend(each);
    }
  };
  nodes.forEach(descend);
  return { direct: nodes.map((node) => node.table), steps, made };
};
