import { type Domain, sizesOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { attributesOf } from '../answer.js';
import { factorsOf } from '../factors.js';
import { total } from '../marginal.js';
import type { Query } from '../query.js';
import type { Relation } from '../relation.js';
import { residual } from '../residual.js';
import { residualSensitivity } from '../sensitivity/residual-sensitivity.js';
import { sensitivity } from '../sensitivity/sensitivity.js';
import type { Unit } from '../unit.js';
import type { Workload } from './workload.js';

/** A residual that a workload of marginals needs. */
export interface PlannedResidual {
  /** The residual, or the total for that of no attributes. */
  readonly query: Query;
  readonly attributes: readonly string[];
  /** p_A: the largest squared change of it between neighbours; 0 for a total that is public. */
  readonly privacy: number;
  /** v_A: what noise of variance one in its cells adds to the weighted sum of the variances of all cells of the workload. */
  readonly variance: number;
}

const maxResiduals = 1_000_000;

/**
 * The residuals of which the marginals of a workload are made: those of all sets of attributes inside one of them, smaller ones first
 * (ResidualPlanner: Xiao, He, Zhang, Kifer 2023). A cell of marginal B is the sum over A in B of its cell of residual A over
 * prod_{B - A} n, so with noise of variance s_A^2 its variance is sum_A s_A^2 prod_A (1 - 1/n) / prod_{B-A} n^2, and
 * v_A = sum over B that hold A of w_B prod_A (n - 1) / prod_{B-A} n. Residuals over an attribute of one cell are 0 and not listed.
 */
export const residualPlan = (
  workload: Workload,
  domain: Domain,
  relation: Relation,
  whose: Unit | number,
): PlannedResidual[] => {
  const names = domain.attributes.map(({ name }) => name);
  const variances = new Map<string, { readonly members: readonly number[]; variance: number }>();
  for (const { query, weight } of workload.queries) {
    factorsOf(query, domain);
    const all = attributesOf(query).map((name) => names.indexOf(name));
    // Attributes of one cell neither split nor spread anything.
    const indices = all.filter((index) => domain.attributes[index].size > 1).sort((a, b) => a - b);
    if (2 ** indices.length + variances.size > maxResiduals)
      throw new InputError(
        `residuals: at most ${maxResiduals}, got a marginal of ${indices.length} attributes after ${variances.size} residuals; use smaller marginals`,
      );
    for (let subset = 0; subset < 2 ** indices.length; subset++) {
      const members = indices.filter((_, place) => Math.floor(subset / 2 ** place) % 2 === 1);
      const variance = indices.reduce((product, index) => {
        const { size } = domain.attributes[index];
        return members.includes(index) ? product * (size - 1) : product / size;
      }, weight);
      const known = variances.get(members.join());
      if (known === undefined) variances.set(members.join(), { members, variance });
      else known.variance += variance;
    }
  }
  const byColumns = (a: readonly number[], b: readonly number[]): number => {
    if (a.length !== b.length) return a.length - b.length;
    const place = a.findIndex((index, i) => index !== b[i]);
    return place < 0 ? 0 : a[place] - b[place];
  };
  return [...variances.values()]
    .sort((a, b) => byColumns(a.members, b.members))
    .map(({ members, variance }) => {
      const attributes = members.map((index) => names[index]);
      const privacy = privacyOf(attributes, domain, relation, whose);
      return { query: attributes.length === 0 ? total() : residual(...attributes), attributes, privacy, variance };
    });
};

const privacyOf = (attributes: readonly string[], domain: Domain, relation: Relation, whose: Unit | number): number => {
  if (attributes.length === 0) return Number(sensitivity(total(), domain, relation, whose).l2Squared);
  const maxRecords = typeof whose === 'number' ? whose : whose.maxRecords;
  const { numerator, denominator } = residualSensitivity(sizesOf(domain, attributes), relation, maxRecords)!;
  return Number(numerator) / Number(denominator);
};

/**
 * Each residual's part of the budget. The sum of v_A s_A^2 is least under sum p_A / s_A^2 = budget where s_A^2 is in proportion to
 * sqrt(p_A / v_A) (Cauchy-Schwarz), so parts p_A / s_A^2 are as sqrt(p_A v_A). With `of` 'roots' it is the sum of the roots
 * sqrt(v_A) s_A that is least, where s_A^3 is as p_A / sqrt(v_A), and parts are as the cube roots of p_A v_A. A residual that is public gets the least part
 * that there is, which it leaves unspent.
 */
export const optimalParts = (residuals: readonly PlannedResidual[], of: 'squares' | 'roots' = 'squares'): number[] => {
  const root = of === 'squares' ? Math.sqrt : Math.cbrt;
  const parts = residuals.map(({ privacy, variance }) => root(privacy * variance));
  const least = 1e-13 * parts.reduce((most, part) => Math.max(most, part), Number.MIN_VALUE);
  return parts.map((part) => Math.max(part, least));
};
