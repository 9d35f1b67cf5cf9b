import type { Marginal } from '../../query/marginal.js';

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
