import { indexOf } from '../../../domain/domain.js';
import { type CliqueGraph, cliqueGraph } from './clique-graph.js';
import type { JunctionTree } from './junction-tree.js';

/**
 * For two attributes, cells that some junction tree needs at most beyond those of `tree` when the two are to share a clique; 0 where they do.
 *
 * One of them, a, is carried from where it is to a clique that holds the other, b: between two separators s and t on the way there is a new
 * clique {a} + s + t beside the old one, and at the end {a, b} + s. Parts that are not connected need {a, b} alone. All b are found in one
 * search from a, which takes a microsecond for each clique or so; results are kept.
 */
export const joinCells = (tree: JunctionTree): ((a: string, b: string) => number) => {
  const graph = cliqueGraph(tree);
  const found: (Float64Array | undefined)[] = graph.sizes.map(() => undefined);
  const carried = (attribute: number): Float64Array => {
    found[attribute] ??= carry(graph, attribute);
    return found[attribute];
  };
  return (first, second) => {
    const [a, b] = [indexOf(tree.domain, first), indexOf(tree.domain, second)];
    return Math.min(carried(a)[b], carried(b)[a]);
  };
};

/** Cells for every other attribute when `a` is the one that is carried. */
const carry = ({ sizes, cliques, members, neighbours, homes }: CliqueGraph, a: number): Float64Array => {
  const cells = Float64Array.from(sizes, (size) => size * sizes[a]);
  for (const home of homes[a]) for (const b of cliques[home]) cells[b] = 0;
  const open: { clique: number; from: number; entry: readonly number[]; held: number }[] = [];
  const leave = (clique: number, from: number, heldBy: (exit: readonly number[]) => number): void => {
    for (const { clique: next, separator } of neighbours[clique])
      if (next !== from && separator.length > 0 && !members[next].has(a))
        open.push({ clique: next, from: clique, entry: separator, held: heldBy(separator) });
  };
  for (const home of homes[a]) leave(home, -1, () => 0);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { clique, from, entry, held } = at;
    const entered = new Set(entry);
    const base = entry.reduce((product, each) => product * sizes[each], sizes[a]);
    for (const b of cliques[clique]) if (!entered.has(b)) cells[b] = held + base * sizes[b];
    leave(
      clique,
      from,
      (exit) => exit.reduce((product, each) => (entered.has(each) ? product : product * sizes[each]), base) + held,
    );
  }
  return cells;
};
