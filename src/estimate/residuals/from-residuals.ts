import type { Domain } from '../../domain/domain.js';
import { reordered } from '../../model/graphical/reordered.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import { kindOf } from '../../query/block/block-kinds.js';
import { type Factor, multiplyFactors, neededFactors } from '../../query/factors.js';
import type { Query } from '../../query/query.js';
import { residualSizes } from '../../query/residual.js';
import { cliqueKey } from '../graphical/targets.js';
import { varianceOf } from '../total/estimate-total.js';

/** Answers without bias, each with the variance of its noise. */
export interface Reconstructed {
  readonly values: Float64Array;
  readonly variances: Float64Array;
}

/** Measured residuals by their sets of attributes, the most precise where one was measured twice; the total is that of none. */
export const residualsIn = (measurements: readonly Measurement[], domain: Domain): ReadonlyMap<string, Measurement> => {
  const found = new Map<string, Measurement>();
  for (const measurement of measurements) {
    const { query } = measurement;
    if (query.kind === 'holding') continue;
    const attributes = attributesOf(query);
    if (attributes.length > 0 && residualSizes(query, domain) === undefined) continue;
    const known = found.get(cliqueKey(attributes));
    if (known === undefined || varianceOf(measurement) < varianceOf(known))
      found.set(cliqueKey(attributes), measurement);
  }
  return found;
};

/**
 * The answers of a query from measured residuals (Xiao, He, Zhang, Kifer 2023): a marginal is the sum of the residuals of
 * all subsets of its attributes, each spread evenly over the others, so a row r of the query, a product of rows r_i, answers
 * sum_A (prod_A r_i (prod_{not A} sum(r_i)/n_i)) residual_A, with variance sum_A s_A^2 prod_A (|r_i|^2 - sum(r_i)^2/n_i) prod_{not A} (sum(r_i)/n_i)^2.
 * Undefined where one of the residuals was not measured, and for a query that is no product.
 */
export const fromResiduals = (
  residuals: ReadonlyMap<string, Measurement>,
  domain: Domain,
  query: Query,
): Reconstructed | undefined => {
  if (query.kind === 'dense') return undefined;
  const factors = neededFactors(query, domain);
  const rows = factors.map((factor) => factor.rows);
  const count = rows.reduce((product, own) => product * own, 1);
  const sums = factors.map(({ block, size }) => kindOf(block).apply(block, size, new Float64Array(size).fill(1), 1, 1));
  const squares = factors.map(({ block, size }) => kindOf(block).squares(block, size));
  const values = new Float64Array(count);
  const variances = new Float64Array(count);
  for (let subset = 0; subset < 2 ** factors.length; subset++) {
    const kept = factors.map((_, place) => ((subset >> place) & 1) === 1);
    const own = factors.filter((_, place) => kept[place]);
    // What has one cell varies in nothing.
    if (own.some(({ size }) => size === 1)) continue;
    const measured = residuals.get(cliqueKey(own.map(({ attributes: [name] }) => name)));
    if (measured === undefined) return undefined;
    const answers = answersOf(measured, own);
    const variance = varianceOf(measured);
    for (let answer = 0; answer < count; answer++) {
      let [share, spread, place, left] = [1, 1, 0, answer];
      for (let axis = 0, stride = count; axis < rows.length; axis++) {
        stride /= rows[axis];
        const row = Math.floor(left / stride);
        left -= row * stride;
        const { size } = factors[axis];
        const [sum, square] = [sums[axis][row], squares[axis][row]];
        if (kept[axis]) {
          place = place * rows[axis] + row;
          spread *= Math.max(0, square - sum ** 2 / size);
        } else {
          share *= sum / size;
          spread *= (sum / size) ** 2;
        }
      }
      values[answer] += share * answers[place];
      variances[answer] += variance * spread;
    }
  }
  return { values, variances };
};

/** The factors' answers on a residual, which may have been measured with its attributes in another order. */
const answersOf = ({ query, values }: Measurement, factors: readonly Factor[]): Float64Array => {
  const axes = attributesOf(query);
  const names = factors.map(({ attributes: [name] }) => name);
  const sizes = axes.map((name) => factors[names.indexOf(name)].size);
  return multiplyFactors(factors, reordered(values, axes, sizes, names), 'apply');
};
