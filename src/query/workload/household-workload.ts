import type { Domain, Households } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Random } from '../../random/random.js';
import { shuffle } from '../../random/shuffle.js';
import { holding } from '../holding.js';
import { marginal } from '../marginal.js';
import type { Query } from '../query.js';
import { allMarginals, type MarginalOptions } from './all-marginals.js';
import { limitCells, type Workload, workloadOf } from './workload.js';

/** Which sets of attributes are taken. */
export interface HouseholdWorkloadOptions extends MarginalOptions {
  /** Attributes in a set. Default 3. */
  readonly attributes?: number | undefined;
  /** At most this many sets for each number of household attributes in a set, drawn with `random`; all of them by default. */
  readonly sets?: number | undefined;
  readonly random?: Random | undefined;
}

/**
 * The workload of "Towards Differentially Private Query Release for Hierarchical Data", A.1.2: sets of attributes of households and persons together, each
 * of which asks two things, how many households hold somebody in each cell (`holding`) and how many persons there are in it (`marginal`). With
 * `sets`, so many sets for every number of household attributes, or all where there are fewer. The number of persons is no attribute here
 * unless `within` names it.
 */
export const householdWorkload = (domain: Domain, options: HouseholdWorkloadOptions = {}): Workload => {
  const { attributes: k = 3, sets, random, within, maxCells, maxTotalCells = 1e9 } = options;
  const { households } = domain;
  if (households === undefined)
    throw new InputError('household workload: needs a domain with households, got a plain one; see docs/households.md');
  if (sets !== undefined && random === undefined)
    throw new InputError(
      'household workload: `sets` are drawn at random, got no `random`; give one, such as seeded(1)',
    );
  const names = within ?? domain.attributes.map(({ name }) => name).filter((name) => name !== households.size);
  const all = attributeSets(allMarginals(domain, k, { within: names, maxCells }));
  const chosen = sets === undefined || random === undefined ? all : drawn(all, households, sets, random);
  const queries = chosen.flatMap((names): Query[] => [holding(...names), marginal(...names)]);
  return limitCells(workloadOf(queries), domain, maxTotalCells);
};

const attributeSets = ({ queries }: Workload): string[][] =>
  queries.map(({ query }) => (query.kind === 'marginal' ? [...query.attributes] : []));

/** So many of the sets with each number of household attributes, or all where there are no more; in the order given. */
const drawn = (
  all: readonly string[][],
  { attributes: shared }: Households,
  sets: number,
  random: Random,
): string[][] => {
  if (!Number.isSafeInteger(sets) || sets < 1)
    throw new InputError(`household workload: sets must be a positive integer, got ${sets}`);
  const byNumber = new Map<number, string[][]>();
  for (const names of all) {
    const number = names.filter((name) => shared.includes(name)).length;
    const list = byNumber.get(number);
    if (list === undefined) byNumber.set(number, [names]);
    else list.push(names);
  }
  const taken = new Set([...byNumber.values()].flatMap((list) => shuffle(list, random).slice(0, sets)));
  return all.filter((names) => taken.has(names));
};
