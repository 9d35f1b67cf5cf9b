import type { Marginal } from '../../query/marginal.js';
import { seeded } from '../../random/seeded.js';
import { shuffle } from '../../random/shuffle.js';

export interface WeightedMarginal {
  readonly query: Marginal;
  readonly weight: number;
}

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
