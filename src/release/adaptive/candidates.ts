import type { Domain } from '../../domain/domain.js';
import { withoutDetermined } from '../../estimate/graphical/by-parents.js';
import { type Marginal, marginal } from '../../query/marginal.js';
import { downwardClosure } from '../../query/workload/downward-closure.js';
import type { Workload } from '../../query/workload/workload.js';
import { seeded } from '../../random/seeded.js';
import { shuffle } from '../../random/shuffle.js';

export interface WeightedMarginal {
  readonly query: Marginal;
  readonly weight: number;
}

/**
 * What AIM and JAM choose among: all marginals within those of the workload, but for those with a column that another one of theirs determines, which say no more than without it.
 */
export const candidatesIn = (domain: Domain, workload: Workload): WeightedMarginal[] =>
  downwardClosure(workload, domain)
    .queries.map(({ query, weight }) => ({ query: query as Marginal, weight }))
    .filter(({ query: { attributes } }) => withoutDetermined(domain, attributes).length === attributes.length);

/** The marginals of single attributes, without those that another one determines. */
export const oneWays = (domain: Domain): Marginal[] =>
  withoutDetermined(
    domain,
    domain.attributes.map(({ name }) => name),
  ).map((name) => marginal(name));

/**
 * The candidates that could have the best score: w_r (distance - offset_r), where the distance of two tables of about `total`
 * records lies between 0 and 2 total. A marginal of many cells costs more noise than it can be wrong by, until the noise has been
 * halved a few times; such ones need not be looked at. It depends on public things and earlier outputs only.
 */
export const promising = (
  candidates: readonly WeightedMarginal[],
  offsetOf: (query: Marginal) => number,
  total: number,
): WeightedMarginal[] => {
  const least = Math.max(...candidates.map(({ query, weight }) => -weight * offsetOf(query)));
  return candidates.filter(({ query, weight }) => weight * (2 * total - offsetOf(query)) >= least);
};

/** Candidates of more than one attribute that a round looks at, at most. */
export const mostLooked = 4000;

/**
 * Those that a round looks at: all, or the single attributes and as many others as it may, drawn anew for each round. The draw depends on the
 * number of the round alone, so a release that is resumed looks at the same ones, and nothing of the table enters.
 */
export const lookedAt = (
  candidates: readonly WeightedMarginal[],
  round: number,
  most: number = mostLooked,
): readonly WeightedMarginal[] => {
  if (candidates.length <= most) return candidates;
  const single = candidates.filter(({ query }) => query.attributes.length === 1);
  const others = candidates.filter(({ query }) => query.attributes.length !== 1);
  return [...single, ...shuffle(others, seeded(round)).slice(0, most)];
};
