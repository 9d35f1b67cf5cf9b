import { cellsOf, type Domain } from '../../domain/domain.js';
import { heldRows } from '../../model/support/joint-rows.js';
import type { Support } from '../../model/support/support.js';
import { combinations } from '../../query/workload/combinations.js';
import type { Asked, DesignDoor, DesignOptions, Parted } from './design-options.js';
import { spreadBySize, sumOf, tellingsOf, type Weighable, weighable } from './gaussian-parts.js';
import { splitBudget } from './split-budget.js';
import { type Learnable, learnables } from './worth.js';

/** Cells of a triple at most, or as many as a pair may have if that is less, and triples that are thought of at most: where there are more, none is. */
const [mostTripleCells, mostCandidates] = [5000, 3000];
/** Triples that are measured at most, and cells of them together: what bounds the time of a fit. */
const [mostTriples, mostCells] = [400, 2e6];
/** Where triples would get less of the budget than this, pairs have it. */
const leastPart = 0.05;

/** All sets of three of these attributes of bounded size: their pairs are smaller, and so measured as well. */
const triplesOf = (domain: Domain, names: readonly string[], maxCells: number): (readonly string[])[] => {
  if ((names.length * (names.length - 1) * (names.length - 2)) / 6 > mostCandidates) return [];
  return [...combinations(names.length, 3)]
    .map((places) => places.map((place) => names[place]))
    .filter((set) => cellsOf(domain, set) <= Math.min(mostTripleCells, maxCells));
};

/**
 * Parts for attributes, pairs, and what triples have beyond their pairs, where the budget is so large that noise misplaces less of these than the public table is likely to;
 * undefined where it is not. A set of three is as wrong as all that is within it, and all sets of three together count as much as all pairs do.
 */
export const withTriples = (
  door: DesignDoor,
  prior: Support,
  pairs: Asked & Weighable,
  options: DesignOptions,
): Parted | undefined => {
  const { domain } = door;
  if (options.degree < 3) return undefined;
  const candidates = triplesOf(
    domain,
    pairs.sets.flatMap((set) => (set.length === 1 ? set : [])),
    options.maxCells,
  );
  if (candidates.length === 0) return undefined;
  const count = pairs.groups.length / candidates.length;
  const split = (learned: readonly Learnable[]) => splitAmong(pairs, learned, weighable(door, learned, options), count);
  const all = learnables(prior, candidates, options);
  const first = split(all);
  if (sumOf(first.ofTriples) < leastPart) return undefined;
  const some = largest(domain, all, first.ofTriples);
  const { ofPairs, ofTriples } = some.length === all.length ? first : split(some);
  const sets = [...pairs.sets, ...some.map(({ attributes }) => attributes)];
  if (heldRows(domain, sets) < prior.length) return undefined;
  const rest = 1 - sumOf(ofTriples);
  const lower = spreadBySize(
    domain,
    pairs.learned,
    ofPairs.map((part) => part / rest),
  );
  return { sets, parts: [...lower.map((part) => rest * part), ...ofTriples] };
};

/** Parts for what pairs and triples tell, each set of three counting so much beside a pair. */
const splitAmong = (
  pairs: Asked & Weighable,
  triples: readonly Learnable[],
  costs: Weighable,
  count: number,
): { readonly ofPairs: Float64Array; readonly ofTriples: Float64Array } => {
  const { sets, learned, groups } = pairs;
  const places = new Map(sets.map((set, i) => [JSON.stringify(set), i]));
  const within = triples.map(({ attributes: [a, b, c] }, t) => [
    ...[[a], [b], [c], [a, b], [a, c], [b, c]].map((set) => places.get(JSON.stringify(set))!),
    sets.length + t,
  ]);
  const parts = splitBudget(
    [...pairs.members, ...costs.members],
    [...groups, ...within],
    tellingsOf(learned, groups, pairs.variances),
    [...groups.map(() => 1), ...within.map(() => count)],
  );
  return { ofPairs: parts.slice(0, sets.length), ofTriples: parts.slice(sets.length) };
};

/** Those with the largest parts, as many as a fit can bear, in their order. */
const largest = (domain: Domain, triples: readonly Learnable[], parts: Float64Array): Learnable[] => {
  const ranked = [...triples.keys()].sort((i, j) => parts[j] - parts[i]).slice(0, mostTriples);
  let cells = 0;
  const kept = new Set(
    ranked.filter((i) => {
      cells += cellsOf(domain, triples[i].attributes);
      return cells <= mostCells;
    }),
  );
  return triples.filter((_, i) => kept.has(i));
};
