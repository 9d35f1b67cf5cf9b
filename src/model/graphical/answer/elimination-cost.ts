import type { CliqueGraph } from '../tree/clique-graph.js';
import { largestTable } from './contract.js';

/** Chooses where in the tree the answer to a question is put together. */
export interface EliminationCost {
  /** A clique for which `openElimination` has little work with the attributes asked. */
  middle(asked: readonly number[]): number;
}

/** Below so many multiplications a better place is not worth the search. */
const cheap = 2 ** 14;

/** Counts multiplications, table by table, without making any. What lies beyond a separator is costed once. */
const workCounter = ({ sizes, members, neighbours, beyond }: CliqueGraph) => {
  const costs = new Map<string, number>();
  const cellsOf = (attributes: Iterable<number>): number => {
    let cells = 1;
    for (const attribute of attributes) cells *= sizes[attribute];
    return cells;
  };
  /** Of the joint of what is asked and the separator, put together at a clique. */
  const costAt = (clique: number, separator: readonly number[], asked: readonly number[]): number => {
    const own = asked.filter((attribute) => members[clique].has(attribute));
    let open = [...beyond(clique, asked)].map(([way, list]) => ({ list, ...neighbours[clique][way] }));
    let cost = 0;
    for (const arm of open) cost += armCost(arm.clique, clique, arm.separator, arm.list);
    let axes = new Set([...separator, ...own, ...open.flatMap((arm) => arm.separator)]);
    const stay = new Set([...separator, ...own]);
    while (open.length > 0) {
      const products = open.map((arm) => new Set([...axes, ...arm.separator, ...arm.list]));
      const cells = products.map(cellsOf);
      const least = cells.indexOf(Math.min(...cells));
      cost += cells[least];
      for (const attribute of open[least].list) stay.add(attribute);
      open = open.filter((_, i) => i !== least);
      const keep = new Set([...stay, ...open.flatMap((arm) => arm.separator)]);
      axes = new Set([...products[least]].filter((axis) => keep.has(axis)));
      // A table costs memory as well as work, and beyond the limit there is none.
      const made = cellsOf(axes);
      cost += made > largestTable ? Infinity : 8 * made;
    }
    return cost;
  };
  /** Single attributes are free: what is found for one question serves all others that ask for them. */
  const armCost = (clique: number, from: number, separator: readonly number[], asked: readonly number[]): number => {
    const key = `${from}>${clique}:${asked.join()}`;
    let cost = costs.get(key);
    if (cost === undefined) {
      cost = costAt(clique, separator, asked);
      if (asked.length === 1 && cost < Infinity) cost = 0;
      costs.set(key, cost);
    }
    return cost;
  };
  return (clique: number, asked: readonly number[]): number => costAt(clique, [], asked);
};

/** The clique from which no arm holds more than half of what is asked. */
const centreOf = ({ members, neighbours, homes, beyond }: CliqueGraph, asked: readonly number[]): number => {
  let clique = homes[asked[0]][0];
  for (let from = -1; ; ) {
    const own = asked.filter((attribute) => members[clique].has(attribute));
    const arms = beyond(clique, asked);
    const [way, list] = [...arms].reduce((most, each) => (each[1].length > most[1].length ? each : most));
    const next = neighbours[clique][way].clique;
    // What one arm asks for can be seen from the next clique as well, if that has all that this one is asked for.
    const carries = arms.size === 1 && own.every((attribute) => members[next].has(attribute));
    if (next === from || (list.length <= asked.length / 2 && !carries)) return clique;
    from = clique;
    clique = next;
  }
};

export const eliminationCost = (graph: CliqueGraph): EliminationCost => {
  const { members, neighbours, homes, beyond } = graph;
  const costAt = workCounter(graph);
  return {
    middle: (asked) => {
      if (asked.length === 0) return 0;
      const rarest = asked.reduce((best, attribute) =>
        homes[attribute].length < homes[best].length ? attribute : best,
      );
      const holds = homes[rarest].find((clique) => asked.every((attribute) => members[clique].has(attribute)));
      if (holds !== undefined) return holds;
      let best = centreOf(graph, asked);
      let least = costAt(best, asked);
      if (least <= cheap) return best;
      // All cliques between those that hold what is asked.
      const open = [{ clique: best, from: -1 }];
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        const cost = costAt(at.clique, asked);
        if (cost < least) {
          least = cost;
          best = at.clique;
        }
        for (const way of beyond(at.clique, asked).keys()) {
          const { clique } = neighbours[at.clique][way];
          if (clique !== at.from) open.push({ clique, from: at.clique });
        }
      }
      return best;
    },
  };
};
