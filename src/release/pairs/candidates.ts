import { cellsOf, type Domain, sizesOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Door, Session } from '../../privacy/session/session.js';
import { attributesOf } from '../../query/answer.js';
import { marginal, total } from '../../query/marginal.js';
import type { Query } from '../../query/query.js';
import { binomial, combinations } from '../../query/workload/combinations.js';
import { optimalParts, residualPlan } from '../../query/workload/residual-plan.js';
import type { Workload } from '../../query/workload/workload.js';
import { candidatesIn, type WeightedMarginal } from '../adaptive/candidates.js';
import { aimWorkload } from '../adaptive/workload.js';
import { givenMarginals } from '../marginals-of.js';

/** Two attributes that may be measured together, and what an error in them counts. */
export interface Pair {
  readonly attributes: readonly [string, string];
  readonly weight: number;
}

/** Pairs that are looked at, and cells of them together, at most: all of them are measured. */
const mostPairs = 5000;
const mostCells = 3e7;

/** All pairs of bounded size, or those within what was asked, each with the weight of all that it is within. Too many are refused. */
export const candidatePairs = (domain: Domain, workload: Workload | undefined, maxCells: number): Pair[] => {
  const weights = workload === undefined ? undefined : pairWeights(workload);
  const names = domain.attributes.filter(({ size }) => size > 1).map(({ name }) => name);
  const pairs = [...combinations(names.length, 2)]
    .map(([a, b]): Pair['attributes'] => [names[a], names[b]])
    .filter((pair) => cellsOf(domain, pair) <= maxCells)
    .map((attributes) => ({ attributes, weight: weights === undefined ? 1 : (weights.get(keyOf(attributes)) ?? 0) }))
    .filter(({ weight }) => weight > 0);
  const cells = pairs.reduce((sum, { attributes }) => sum + cellsOf(domain, attributes), 0);
  if (pairs.length > mostPairs || cells > mostCells)
    throw new InputError(
      `pairs: may look at ${mostPairs} pairs of ${mostCells} cells together, got ${pairs.length} of ${cells}; lower maxCells, ask for fewer, or use aim`,
    );
  return pairs;
};

/** Marginals that rounds choose among: all of two to `degree` attributes within what was asked, or within triples where all of them can be looked at. */
export const roundCandidates = (
  domain: Domain,
  workload: Workload | undefined,
  { degree, maxCells }: { readonly degree: number; readonly maxCells: number },
): WeightedMarginal[] =>
  candidatesIn(
    domain,
    workload === undefined
      ? aimWorkload(domain, { degree, maxCells })
      : inParts(givenMarginals(workload, 'pairs'), degree),
  ).filter(
    ({ query: { attributes } }) =>
      attributes.length > 1 &&
      attributes.length <= degree &&
      cellsOf(domain, attributes) <= maxCells &&
      sizesOf(domain, attributes).every((size) => size > 1),
  );

/** Larger marginals as all of theirs of `degree` attributes, among which each attribute keeps its weight: of one with many attributes there are too many parts to list. */
const inParts = ({ queries }: Workload, degree: number): Workload => ({
  queries: queries.flatMap(({ query, weight }) => {
    const names = attributesOf(query);
    if (names.length <= degree) return [{ query, weight }];
    return [...combinations(names.length, degree)].map((places) => ({
      query: marginal(...places.map((place) => names[place])),
      weight: weight / binomial(names.length - 1, degree - 1),
    }));
  }),
});

const keyOf = (attributes: readonly string[]): string => JSON.stringify([...attributes].sort());

const pairWeights = (workload: Workload): Map<string, number> => {
  const found = new Map<string, number>();
  for (const { query, weight } of givenMarginals(workload, 'pairs').queries) {
    const names = attributesOf(query);
    for (const [a, b] of combinations(names.length, 2)) {
      const key = keyOf([names[a], names[b]]);
      found.set(key, (found.get(key) ?? 0) + weight);
    }
  }
  return found;
};

/** Queries that are measured together, and each one's part of the budget. */
export interface Batch {
  readonly queries: readonly Query[];
  readonly weights: readonly number[];
}

/**
 * What tells all attributes and some pairs: under zCDP the number of records and the residuals, each once (Xiao, He, Zhang, Kifer 2023), split so
 * that the sum over residuals of the root of what each adds to the variances is least; under pure epsilon, whose Laplace noise goes with no residual,
 * the marginals, in proportion to the cube roots of their cells.
 */
export const batchOf = (
  door: Pick<Session, 'domain' | 'relation' | 'unit' | 'budget' | 'preview'>,
  pairs: readonly Pair[],
): Batch => {
  const { domain, relation, unit, budget } = door;
  // An attribute counts as much as a pair does: the means of both are what is answered.
  const usual = pairs.reduce((sum, { weight }) => sum + weight, 0) / pairs.length || 1;
  const wanted = [
    ...domain.attributes.filter(({ size }) => size > 1).map(({ name }) => ({ query: marginal(name), weight: usual })),
    ...pairs.map(({ attributes, weight }) => ({ query: marginal(...attributes), weight })),
  ];
  if (budget.currency === 'pure') {
    const parts = wanted.map(({ query, weight }) => weight * Math.cbrt(cellsOf(domain, query.attributes)));
    const queries = wanted.map(({ query }) => query);
    // A number of records that is public leaves its part unspent, so it gets next to none.
    return isTotalPublic(door) || queries.length === 0
      ? { queries: [total(), ...queries], weights: [1e-13 * Math.max(1, ...parts), ...parts] }
      : { queries, weights: parts };
  }
  const scaled = wanted.map(({ query, weight }) => ({
    query,
    // As much for the cells of a small marginal as the root of their number says: between one for each cell and one for each marginal.
    weight: query.attributes.length === 1 ? weight : weight / Math.sqrt(cellsOf(domain, query.attributes)),
  }));
  const plan = residualPlan({ queries: scaled }, domain, relation, unit);
  // Where no attribute has more than one cell, there is the number of records to tell.
  if (plan.length === 0) return { queries: [total()], weights: [1] };
  return { queries: plan.map(({ query }) => query), weights: optimalParts(plan, 'roots') };
};

const isTotalPublic = (door: Pick<Door, 'preview'>): boolean => door.preview([total()], 1)[0].kind === 'none';
