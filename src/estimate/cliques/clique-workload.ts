import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { type Marginal, marginal } from '../../query/marginal.js';
import { maximalCliques } from './maximal-cliques.js';
import type { Information } from './mutual-information.js';

/** Attributes belong together from this mutual information on, in natural logarithms, unless told. */
export const leastDependence = 0.2;

export interface CliqueOptions {
  /** Attributes are joined from this mutual information on, in natural logarithms. */
  readonly threshold: number;
  /** A marginal may have this many cells; a single attribute may have more. */
  readonly maxCells: number;
}

/**
 * Marginals of attributes that belong together (IDE paper, 4.2): the maximal cliques of the graph whose edges are pairs of high
 * mutual information. A clique with too many cells gives way to smaller ones within it that hold all its edges that fit. Every
 * attribute is in some marginal; no marginal lies within another.
 */
export const cliqueWorkload = (
  information: Information,
  domain: Domain,
  { threshold, maxCells }: CliqueOptions,
): Marginal[] => {
  if (!(threshold > 0)) throw new InputError(`threshold: must be a positive mutual information, got ${threshold}`);
  const { names, between } = information;
  const cells = (set: readonly number[]): number =>
    cellsOf(
      domain,
      set.map((i) => names[i]),
    );
  // An edge that does not fit into any marginal is none.
  const joined = (a: number, b: number): boolean => between[a][b] >= threshold && cells([a, b]) <= maxCells;
  const sets = maximalCliques(names.length, joined).flatMap((clique) =>
    clique.length === 1 || cells(clique) <= maxCells ? [clique] : coverEdges(clique, between, cells, maxCells),
  );
  const kept = sets.filter(
    (set, s) =>
      !sets.some((other, o) => o !== s && set.every((i) => other.includes(i)) && (other.length > set.length || o < s)),
  );
  return kept.map((set) => marginal(...set.map((i) => names[i])));
};

/** Subsets within the limit that hold every pair of a clique: from the strongest pair not yet held, grow by what holds most. */
const coverEdges = (
  clique: readonly number[],
  between: readonly Float64Array[],
  cells: (set: readonly number[]) => number,
  maxCells: number,
): number[][] => {
  const open = new Set<string>();
  const key = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`);
  const pairs = clique
    .flatMap((a, i) => clique.slice(i + 1).map((b) => [a, b] as const))
    .sort(([a, b], [c, d]) => between[c][d] - between[a][b]);
  for (const [a, b] of pairs) open.add(key(a, b));
  const sets: number[][] = [];
  for (const [a, b] of pairs) {
    if (!open.has(key(a, b))) continue;
    const set = [a, b];
    for (;;) {
      const gain = (i: number): number => set.reduce((sum, j) => sum + (open.has(key(i, j)) ? between[i][j] : 0), 0);
      const [best] = clique
        .filter((i) => !set.includes(i) && gain(i) > 0 && cells([...set, i]) <= maxCells)
        .sort((i, j) => gain(j) - gain(i));
      if (best === undefined) break;
      set.push(best);
    }
    for (const i of set) for (const j of set) if (i < j) open.delete(key(i, j));
    sets.push(set.sort((i, j) => i - j));
  }
  return sets;
};
