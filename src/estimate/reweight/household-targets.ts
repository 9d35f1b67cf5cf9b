import { type Domain, sizesOf } from '../../domain/domain.js';
import type { Measurement } from '../../privacy/measurement.js';
import { attributesOf } from '../../query/answer.js';
import { type Counted, type Holding, holding, holdingCells } from '../../query/holding.js';
import { type LinearMap, linearMap } from '../../query/linear-map.js';
import { marginal } from '../../query/marginal.js';
import type { Query } from '../../query/query.js';
import { queryKey } from '../../query/query-key.js';
import { residualPart } from '../../query/residual.js';
import { varianceOf } from '../total/estimate-total.js';
import { firstAnswers, type Target } from './targets.js';

/** An answer without noise is wanted this much more closely than the least noisy one, in standard deviations (tried on a made-up table: docs/households.md). */
const closer = 10;

/** The cells through which a query is seen: all cells of its attributes, counting what it counts. */
export const cellsSeen = (query: Query): Counted =>
  query.kind === 'holding' ? holding(...query.attributes) : marginal(...attributesOf(query));

/** What fits of households see of their measurements: the distinct queries whose cells they need, and the targets among those. */
export interface HouseholdTargets {
  readonly queries: readonly Counted[];
  readonly targets: readonly Target[];
}

/**
 * Targets of a fit of households, each of which adds to several cells: at most M persons to one cell, or 1 to the cells of at most min(M, P) kinds of persons.
 */
export const householdTargets = (measurements: readonly Measurement[], domain: Domain): HouseholdTargets => {
  const queries: Counted[] = [];
  const known = new Map<string, number>();
  const variances = measurements.map(varianceOf);
  const noisy = variances.filter((variance) => variance > 0);
  const least = noisy.length === 0 ? 1 : noisy.reduce((min, variance) => Math.min(min, variance));
  const froms = firstAnswers(measurements);
  const targets = measurements.map((measurement, t): Target => {
    const { query } = measurement;
    const from = froms[t];
    const seen = cellsSeen(query);
    const key = queryKey(seen);
    if (!known.has(key)) known.set(key, queries.push(seen) - 1);
    const map = known.get(key)!;
    const noise = {
      variance: variances[t] > 0 ? variances[t] : least / closer ** 2,
      deviation: Math.sqrt(variances[t]),
    };
    if (query.kind !== 'holding') {
      const reach = (domain.households?.maxSize ?? 1) ** 2;
      const linear = linearMap(query, domain);
      return { measurement, from, map, linear, ...noise, part: residualPart(query, domain), reach };
    }
    const { person, maxSize } = holdingCells(query, domain);
    const linear = holdingMap(query, domain);
    return { measurement, from, map, linear, ...noise, part: 1, reach: Math.min(maxSize, person) };
  });
  return { queries, targets };
};

/** A count of households by its cells: all of them as they are, or the one that is asked about. */
const holdingMap = ({ attributes, cell }: Holding, domain: Domain): LinearMap => {
  const cells = sizesOf(domain, attributes).reduce((product, size) => product * size, 1);
  if (cell === undefined) return { apply: (values) => values, transpose: (values) => values, isIdentity: true };
  return {
    isIdentity: false,
    apply: (values) => values.slice(cell, cell + 1),
    transpose: ([answer]) => {
      const values = new Float64Array(cells);
      values[cell] = answer;
      return values;
    },
  };
};
