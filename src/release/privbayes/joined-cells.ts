import type { JunctionTree } from '../../model/graphical/tree/junction-tree.js';

/**
 * How many cells the tables of a junction tree would have if some clique held all of these attributes: a bound, by carrying each missing attribute
 * along the tree to the clique that has most of them already. A new triangulation may do better, and costs a thousand times as much.
 */
export const joinedCells = (tree: JunctionTree): ((attributes: readonly string[]) => number) => {
  const { domain, cliques } = tree;
  const held = cliques.map(({ attributes }) => new Set(attributes));
  const neighbours = cliques.map((): number[] => []);
  cliques.forEach(({ parent }, index) => {
    if (parent < 0) return;
    neighbours[index].push(parent);
    neighbours[parent].push(index);
  });
  const size = new Map(domain.attributes.map((attribute) => [attribute.name, attribute.size]));
  const all = cliques.reduce((sum, { cells }) => sum + cells, 0);

  /** The cliques on the way from one to the nearest that holds the attribute, without that one; only itself in another component. */
  const wayTo = (start: number, name: string): number[] => {
    const from = new Map([[start, -1]]);
    const queue = [start];
    for (const clique of queue) {
      if (held[clique].has(name)) {
        const way: number[] = [];
        for (let at = from.get(clique)!; at >= 0; at = from.get(at)!) way.push(at);
        return way;
      }
      for (const next of neighbours[clique])
        if (!from.has(next)) {
          from.set(next, clique);
          queue.push(next);
        }
    }
    return [start];
  };

  return (attributes) => {
    let best = 0;
    let most = -1;
    held.forEach((set, clique) => {
      let cells = 1;
      for (const name of attributes) if (set.has(name)) cells *= size.get(name)!;
      if (cells > most) {
        best = clique;
        most = cells;
      }
    });
    const factors = new Map<number, number>();
    for (const name of attributes)
      for (const clique of wayTo(best, name)) factors.set(clique, (factors.get(clique) ?? 1) * size.get(name)!);
    return [...factors].reduce((sum, [clique, factor]) => sum + cliques[clique].cells * (factor - 1), all);
  };
};
