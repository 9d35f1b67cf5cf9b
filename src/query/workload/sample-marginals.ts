import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Random } from '../../random/random.js';
import { uniformInteger } from '../../random/uniform.js';
import { marginal } from '../marginal.js';
import { choices, eligible, type MarginalOptions } from './all-marginals.js';
import { binomial } from './combinations.js';
import { limitCells, type Workload, workloadOf } from './workload.js';

/** Up to this many combinations are listed and drawn from; of more, random ones are tried until enough are found. */
const listed = 100_000;

/**
 * `count` different k-way marginals, uniformly at random among those within the cell limit, in the order drawn, each of
 * weight 1. Combinations are not listed when they are many. The same generator state gives the same sample.
 */
export const sampleMarginals = (
  domain: Domain,
  k: number,
  count: number,
  random: Random,
  options: MarginalOptions = {},
): Workload => {
  const { maxCells = Number.POSITIVE_INFINITY, within, maxTotalCells = 1e9 } = options;
  if (!Number.isSafeInteger(count) || count < 1)
    throw new InputError(`sample: the number of marginals must be a positive integer, got ${count}`);
  const names = choices(domain, k, within);
  const drawn =
    binomial(names.length, k) <= listed
      ? drawFrom(eligible(domain, k, names, maxCells), count, random)
      : tryOut(domain, k, names, maxCells, count, random);
  return limitCells(workloadOf(drawn.map((attributes) => marginal(...attributes))), domain, maxTotalCells);
};

/** The first steps of a Fisher-Yates shuffle. */
const drawFrom = (all: string[][], count: number, random: Random): string[][] => {
  if (count > all.length)
    throw new InputError(`sample: there are ${all.length} such marginals, got a wish for ${count}`);
  for (let i = 0; i < count; i++) {
    const j = i + uniformInteger(random, all.length - i);
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all.slice(0, count);
};

/** Rejection: a uniform combination, unless it was drawn before or is too large, is uniform among the rest. */
const tryOut = (
  domain: Domain,
  k: number,
  names: readonly string[],
  maxCells: number,
  count: number,
  random: Random,
): string[][] => {
  const found = new Map<string, string[]>();
  const maxTries = 1000 * count + 100_000;
  for (let tries = 0; found.size < count; tries++) {
    if (tries === maxTries)
      throw new InputError(
        `sample: ${maxTries} random ${k}-way marginals held ${found.size} different ones of at most ${maxCells} cells, ` +
          `got a wish for ${count}; raise maxCells, ask for fewer, or name the attributes within`,
      );
    const indices = combinationOf(names.length, k, random);
    const attributes = indices.map((index) => names[index]);
    if (cellsOf(domain, attributes) <= maxCells) found.set(indices.join(), attributes);
  }
  return [...found.values()];
};

/** A uniformly random increasing list of k indices below n (Floyd's algorithm). */
const combinationOf = (n: number, k: number, random: Random): number[] => {
  const chosen = new Set<number>();
  for (let last = n - k; last < n; last++) {
    const index = uniformInteger(random, last + 1);
    chosen.add(chosen.has(index) ? last : index);
  }
  return [...chosen].sort((a, b) => a - b);
};
