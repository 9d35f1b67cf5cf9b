import { type Domain, sizesOf } from '../../../domain/domain.js';

/** A set of attributes of the workload's downward closure. */
export interface MarginalSet {
  readonly attributes: readonly string[];
  /** The squared weight of the workload's own marginal of these attributes; 0 where it has none. */
  readonly weight: number;
}

/** How fast the noise variance of a measurement falls with its part of the budget: 2 for a pure budget, 1 for a zCDP one. */
export type Falls = 1 | 2;

/** The error of a division of the budget, and the division that is best. */
export interface MarginalWeights {
  /** Parts of the budget, with sum 1. */
  readonly parts: Float64Array;
  /** Squared error of all answers of the workload, for variance 1 of a measurement that has the whole budget. */
  readonly error: number;
}

const product = (values: readonly number[]): number => values.reduce((all, value) => all * value, 1);

/** sum over r of c_r / sum over b >= r of x_b^falls / n_b, and what the derivative is made of. */
interface Costs {
  /** For each set r: (weight of its part in the workload's error) m_r sum over w >= r of weight_w / n_w. */
  readonly costs: Float64Array;
  readonly cells: Float64Array;
  /** For each set, the sets that hold it. */
  readonly above: readonly (readonly number[])[];
}

const costsOf = (sets: readonly MarginalSet[], domain: Domain): Costs => {
  const sizes = sets.map(({ attributes }) => sizesOf(domain, attributes));
  const cells = Float64Array.from(sizes, product);
  const above = sets.map(({ attributes }) =>
    sets.flatMap((other, index) => (attributes.every((name) => other.attributes.includes(name)) ? [index] : [])),
  );
  const costs = Float64Array.from(sets, (_, r) => {
    const dimension = product(sizes[r].map((size) => size - 1));
    return dimension * above[r].reduce((sum, w) => sum + sets[w].weight / cells[w], 0);
  });
  return { costs, cells, above };
};

/**
 * The squared error of a workload of marginals from marginals measured with parts x of the budget (HDMM's marginals template, section 6.3).
 * The Gram matrices of all marginals share their eigenspaces, one for each set r of attributes, of dimension m_r = prod (n_i - 1) over r:
 * there that of the marginal of b has eigenvalue (N / n_b) if r is in b, else 0, with n_b its cells and N those of the domain. So
 * trace((A^T A)^-1 W^T W) is the sum over r of m_r (sum of weight_w / n_w) / (sum of precision_b / n_b), over w and b that hold r.
 */
export const marginalError = (
  sets: readonly MarginalSet[],
  domain: Domain,
  parts: Float64Array,
  falls: Falls,
): number => errorAndGains(costsOf(sets, domain), parts, falls).error;

const errorAndGains = ({ costs, cells, above }: Costs, parts: Float64Array, falls: Falls) => {
  const gains = new Float64Array(parts.length);
  let error = 0;
  for (let r = 0; r < parts.length; r++) {
    if (costs[r] === 0) continue;
    const precision = above[r].reduce((sum, b) => sum + parts[b] ** falls / cells[b], 0);
    error += costs[r] / precision;
    for (const b of above[r]) gains[b] += (costs[r] / precision ** 2) * (parts[b] ** falls / cells[b]);
  }
  return { error, gains };
};

/**
 * OPT_M: the parts of least error. At the best point the error falls equally fast in all parts that are not 0, so each part grows with the
 * (1 + falls)-th root of how fast it falls there: where the parts do not interact that is exact at once, and for falls = 1 it is the
 * multiplicative algorithm of optimal design, which never raises the error (Yu 2010). The start has all sets, so that none is left out.
 */
export const bestMarginalParts = (sets: readonly MarginalSet[], domain: Domain, falls: Falls): MarginalWeights => {
  const costs = costsOf(sets, domain);
  // From the marginals of the workload by themselves, with a little of everything below; where that is better, it stays.
  const starts = [
    sets.map(({ weight }, index) => (weight * costs.cells[index]) ** (1 / (1 + falls)) + 1e-3),
    sets.map(() => 1),
  ];
  let best: MarginalWeights | undefined;
  for (const start of starts) {
    const found = improved(costs, normalised(Float64Array.from(start)), falls);
    if (best === undefined || found.error < best.error) best = found;
  }
  return best!;
};

const normalised = (parts: Float64Array): Float64Array => {
  const sum = parts.reduce((all, part) => all + part, 0);
  return parts.map((part) => part / sum);
};

const improved = (costs: Costs, start: Float64Array, falls: Falls): MarginalWeights => {
  let parts = start;
  let { error, gains } = errorAndGains(costs, parts, falls);
  for (let iteration = 0; iteration < 2000; iteration++) {
    const next = normalised(parts.map((part, b) => (part > 0 ? part * (gains[b] / part) ** (1 / (1 + falls)) : 0)));
    const found = errorAndGains(costs, next, falls);
    if (!(found.error < error)) break;
    const gained = error - found.error;
    parts = next;
    ({ error, gains } = found);
    if (gained < 1e-9 * error) break;
  }
  return { parts, error };
};
