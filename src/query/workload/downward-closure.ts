import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { attributesOf } from '../answer.js';
import { factorsOf } from '../factors.js';
import { marginal } from '../marginal.js';
import type { Workload } from './workload.js';

const maxMarginals = 2_000_000;

/**
 * The marginals of every non-empty set of attributes inside some query of the workload, smaller sets first, then in column
 * order. Each has the weight of AIM (McKenna et al. 2022): w_r = sum over workload queries s of weight_s |r and s|.
 */
export const downwardClosure = (workload: Workload, domain: Domain): Workload => {
  const position = new Map(domain.attributes.map(({ name }, index) => [name, index]));
  /** sum over s of weight_s |r and s| is, attribute by attribute, the weight of all queries that have it. */
  const weight = new Float64Array(domain.attributes.length);
  const sets = new Map<string, readonly number[]>();
  for (const { query, weight: own } of workload.queries) {
    factorsOf(query, domain);
    const indices = attributesOf(query).map((name) => position.get(name)!);
    indices.sort((a, b) => a - b);
    if (2 ** indices.length + sets.size > maxMarginals)
      throw new InputError(
        `downward closure: at most ${maxMarginals} marginals, got a query of ${indices.length} attributes after ` +
          `${sets.size} marginals; use smaller queries`,
      );
    for (const index of indices) weight[index] += own;
    for (const members of subsetsOf(indices)) sets.set(members.join(), members);
  }
  const byColumns = (a: readonly number[], b: readonly number[]) => {
    if (a.length !== b.length) return a.length - b.length;
    const place = a.findIndex((index, i) => index !== b[i]);
    return place < 0 ? 0 : a[place] - b[place];
  };
  return {
    queries: [...sets.values()].sort(byColumns).map((members) => ({
      query: marginal(...members.map((index) => domain.attributes[index].name)),
      weight: members.reduce((sum, index) => sum + weight[index], 0),
    })),
  };
};

/** All non-empty parts of a list, each in its order. */
export function* subsetsOf<T>(list: readonly T[]): Generator<T[]> {
  for (let subset = 1; subset < 2 ** list.length; subset++) yield list.filter((_, place) => (subset >>> place) & 1);
}
