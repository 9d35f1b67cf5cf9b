import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { marginal } from '../marginal.js';
import { binomial, combinations } from './combinations.js';
import { limitCells, type Workload, workloadOf } from './workload.js';

/** Which marginals are taken. */
export interface MarginalOptions {
  /** Marginals with more cells than this are left out. Default: none is. */
  readonly maxCells?: number | undefined;
  /** Choose among these attributes only. Default: all of the domain. */
  readonly within?: readonly string[] | undefined;
  /** The workload is refused when it has more cells than this together. Default 10^9. */
  readonly maxTotalCells?: number | undefined;
}

/** More combinations than this are not listed. */
const maxCombinations = 2_000_000;
const defaultTotalCells = 1e9;

/** The attributes to choose from, in column order, once k of them are known to exist. */
export const choices = (domain: Domain, k: number, within: readonly string[] | undefined): string[] => {
  const known = domain.attributes.map(({ name }) => name);
  const stray = within?.find((name) => !known.includes(name));
  if (stray !== undefined)
    throw new InputError(`within: attributes must be among ${known.join(', ')}, got ${JSON.stringify(stray)}`);
  const names = within === undefined ? known : known.filter((name) => within.includes(name));
  if (!Number.isInteger(k) || k < 0 || k > names.length)
    throw new InputError(`marginals: the number of attributes must be an integer from 0 to ${names.length}, got ${k}`);
  return names;
};

/** All combinations of k attributes within the cell limit, in column order; none at all is an error. */
export const eligible = (domain: Domain, k: number, names: readonly string[], maxCells: number): string[][] => {
  const ways = binomial(names.length, k);
  if (ways > maxCombinations)
    throw new InputError(
      `marginals: at most ${maxCombinations} combinations are listed, got ${ways}; sample them, or name fewer attributes within`,
    );
  const found: string[][] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const indices of combinations(names.length, k)) {
    const attributes = indices.map((index) => names[index]);
    const cells = cellsOf(domain, attributes);
    if (cells <= maxCells) found.push(attributes);
    least = Math.min(least, cells);
  }
  if (found.length === 0)
    throw new InputError(`maxCells: the smallest ${k}-way marginal has ${least} cells, got a limit of ${maxCells}`);
  return found;
};

/**
 * All k-way marginals, in column order, each with weight 1.
 *
 * @example
 * ```ts
 * const pairs = allMarginals(domain, 2);
 * ```
 */
export const allMarginals = (domain: Domain, k: number, options: MarginalOptions = {}): Workload => {
  const { maxCells = Number.POSITIVE_INFINITY, within, maxTotalCells = defaultTotalCells } = options;
  const found = eligible(domain, k, choices(domain, k, within), maxCells);
  return limitCells(workloadOf(found.map((attributes) => marginal(...attributes))), domain, maxTotalCells);
};
