import type { CliqueGraph } from './clique-graph.js';
import { projected } from './contract.js';
import type { JunctionTree } from './junction-tree.js';

/** One attribute of a record to be made, given others that it has already. */
export interface SampleStep {
  readonly attribute: number;
  readonly size: number;
  /** Attributes of the same clique that come before. */
  readonly context: readonly number[];
  readonly contextSizes: readonly number[];
  readonly contextCells: number;
  /** Probability of each cell of (context, attribute), row-major; found when called, to be read only. */
  table(): Float64Array;
  /**
   * Parts of the context whose marginal with the attribute should come out well, each as positions in `context`: what later cliques
   * build on, and what the model has factors for. At least one; never the whole context unless it is the only one.
   */
  readonly watched: readonly (readonly number[])[];
}

/**
 * The attributes in the order in which records get them: cliques from the roots outward, within a clique the smaller attributes
 * first, each given those of its clique that are there already. By the running intersection property that is the model.
 */
export const samplePlan = (
  tree: JunctionTree,
  graph: CliqueGraph,
  beliefs: readonly Float64Array[],
  factors: readonly (readonly number[])[],
): SampleStep[] => {
  const { sizes, cliques, neighbours } = graph;
  const cellsOf = (attributes: readonly number[]): number => attributes.reduce((all, a) => all * sizes[a], 1);
  const done = new Set<number>();
  return tree.cliques.flatMap((_, clique) => {
    const separators = neighbours[clique].map(({ separator }) => separator);
    const inside = factors.filter((factor) => factor.every((attribute) => cliques[clique].includes(attribute)));
    const context = cliques[clique].filter((attribute) => done.has(attribute));
    return cliques[clique].flatMap((attribute): SampleStep[] => {
      if (done.has(attribute)) return [];
      done.add(attribute);
      const known = [...context];
      context.push(attribute);
      const parts = new Map<string, number[]>();
      for (const list of [...separators, ...inside]) {
        if (!list.includes(attribute)) continue;
        const places = known.flatMap((other, place) => (list.includes(other) ? [place] : []));
        if (places.length < known.length) parts.set(places.join(), places);
      }
      // A part of another part comes out well with it, nearly: only the largest are watched.
      const watched = [...parts.values()].filter(
        (part) =>
          ![...parts.values()].some((other) => other.length > part.length && part.every((p) => other.includes(p))),
      );
      if (watched.length === 0) watched.push([]);
      const contextSizes = known.map((other) => sizes[other]);
      return [
        {
          attribute,
          size: sizes[attribute],
          context: known,
          contextSizes,
          contextCells: cellsOf(known),
          table: () =>
            projected(
              {
                axes: cliques[clique],
                sizes: cliques[clique].map((other) => sizes[other]),
                values: beliefs[clique],
              },
              [...known, attribute],
            ).values,
          watched,
        },
      ];
    });
  });
};

/** The cell of the context of each row, written to `target`. */
export const contextCells = (
  { context, contextSizes }: SampleStep,
  columns: readonly ArrayLike<number>[],
  rows: number,
  target: Uint32Array,
): void => {
  target.fill(0, 0, rows);
  context.forEach((attribute, place) => {
    const column = columns[attribute];
    const size = contextSizes[place];
    if (place === 0) for (let row = 0; row < rows; row++) target[row] = column[row];
    else for (let row = 0; row < rows; row++) target[row] = target[row] * size + column[row];
  });
};
