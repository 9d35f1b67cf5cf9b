import { cellsOf, type Domain } from '../../domain/domain.js';
import { marginal } from '../marginal.js';
import { type Workload, workloadOf } from './workload.js';

/** Marginals that the mechanisms measure, or AIM's prior is made of, have at most this many cells unless told otherwise. */
export const mostPairCells = 20_000;

/**
 * All pairs of attributes with at most `maxCells` cells, and the marginal of each attribute that is in no such pair: together they
 * say something about every attribute of any domain.
 */
export const pairsOrOneWays = (domain: Domain, maxCells: number = mostPairCells): Workload => {
  const names = domain.attributes.map(({ name }) => name);
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));
  const kept = pairs.filter((pair) => cellsOf(domain, pair) <= maxCells);
  const covered = new Set(kept.flat());
  const alone = names.filter((name) => !covered.has(name)).map((name) => [name]);
  return workloadOf([...kept, ...alone].map((attributes) => marginal(...attributes)));
};
