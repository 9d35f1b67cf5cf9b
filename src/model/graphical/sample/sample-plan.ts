import { projected } from '../answer/contract.js';
import type { CliqueGraph } from '../tree/clique-graph.js';
import type { JunctionTree } from '../tree/junction-tree.js';

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
  /** Positions in `context` of those whose marginal with the attribute should come out well: see `watchedPart`. */
  readonly watched: readonly number[];
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
      const parts = [...separators, ...inside]
        .filter((list) => list.includes(attribute))
        .map((list) => known.flatMap((other, place) => (list.includes(other) ? [place] : [])))
        .filter((places) => places.length < known.length);
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
          watched: watchedPart(parts, contextSizes),
        },
      ];
    });
  });
};

/**
 * Of several parts of a context whose marginals with the new attribute matter (what later cliques build on, what the model has
 * factors for), rounding can hold one marginal to the nearest whole numbers. The count of any marginal is then a sum of rounding
 * errors: over all contexts that fall into its cell, or only over the held cells that do when it is a part of what is held. This
 * picks the one, or the union of some, for which the longest such sum is shortest.
 */
const watchedPart = (parts: readonly (readonly number[])[], sizes: readonly number[]): readonly number[] => {
  const cells = (places: readonly number[]): number => places.reduce((all, place) => all * sizes[place], 1);
  const all = sizes.reduce((product, size) => product * size, 1);
  const held = [...new Map(parts.map((part) => [part.join(), part])).values()];
  // Unions of any: of the first few only, for there are two to the power of their number.
  const unions: number[][] = [[]];
  for (const part of held.slice(0, 8))
    for (const union of [...unions]) unions.push([...new Set([...union, ...part])].sort((a, b) => a - b));
  let best: readonly number[] = [];
  let least = Infinity;
  for (const choice of unions) {
    const size = cells(choice);
    const longest = held.reduce(
      (most, part) => Math.max(most, (part.every((place) => choice.includes(place)) ? size : all) / cells(part)),
      0,
    );
    if (longest < least) {
      least = longest;
      best = choice;
    }
  }
  return best;
};

/** The cell of the context of each row, written to `target`. */
export const contextCells = (
  { context, contextSizes }: SampleStep,
  columns: readonly ArrayLike<number>[],
  rows: number,
  target: Int32Array,
): void => {
  if (context.length === 0) target.fill(0, 0, rows);
  context.forEach((attribute, place) => {
    const column = columns[attribute];
    const size = contextSizes[place];
    if (place === 0) for (let row = 0; row < rows; row++) target[row] = column[row];
    else for (let row = 0; row < rows; row++) target[row] = target[row] * size + column[row];
  });
};
