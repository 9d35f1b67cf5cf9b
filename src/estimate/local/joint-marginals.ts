import { type Domain, sizesOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { LocalTable } from '../../model/local-model.js';
import { sumTo } from '../../model/sum-to.js';
import type { Measurement } from '../../privacy/measurement.js';
import { describeQuery } from '../../query/describe-query.js';
import { varianceOf } from '../total/estimate-total.js';

const keyOf = (attributes: readonly string[]): string => JSON.stringify([...attributes].sort());

/** All subsets, each in the order of the list. */
const subsets = (attributes: readonly string[]): string[][] =>
  Array.from({ length: 2 ** attributes.length }, (_, set) => attributes.filter((_, i) => (set >>> i) & 1));

/** Takes the mean along every axis away: what a table says beyond all smaller ones. */
const centred = (table: Float64Array, sizes: readonly number[]): Float64Array => {
  const result = table.slice();
  let inner = result.length;
  for (const size of sizes) {
    inner /= size;
    for (let start = 0; start < result.length; start += size * inner)
      for (let i = 0; i < inner; i++) {
        let sum = 0;
        for (let cell = 0; cell < size; cell++) sum += result[start + cell * inner + i];
        for (let cell = 0; cell < size; cell++) result[start + cell * inner + i] -= sum / size;
      }
  }
  return result;
};

/**
 * Least squares over measured marginals together. The space of tables splits into one part for each set of attributes, orthogonal to the
 * others (contrasts along its attributes, sums along all others), and every marginal that holds the set has an estimate of that part
 * with independent noise: they are averaged by inverse variance. A marginal is the sum of the parts of its subsets. All tables that come
 * out agree with each other.
 */
export const jointMarginals = (domain: Domain, measurements: readonly Measurement[]): LocalTable[] => {
  const marginals = measurements.map((measurement) => {
    const { query, values } = measurement;
    if (query.kind !== 'marginal')
      throw new InputError(`joint least squares: must be of marginals, got ${describeQuery(query)}`);
    return { attributes: query.attributes, values, variance: varianceOf(measurement) || 1e-9 };
  });
  const cells = (attributes: readonly string[]): number =>
    sizesOf(domain, attributes).reduce((product, size) => product * size, 1);
  const parts = new Map<string, LocalTable>();
  const partOf = (set: readonly string[]): LocalTable => {
    const key = keyOf(set);
    const held = parts.get(key);
    if (held !== undefined) return held;
    const sum = new Float64Array(cells(set));
    let precision = 0;
    for (const { attributes, values, variance } of marginals) {
      if (!set.every((name) => attributes.includes(name))) continue;
      const weight = sum.length / (variance * values.length);
      precision += weight;
      const own = sumTo(values, domain, attributes, set);
      for (let i = 0; i < sum.length; i++) sum[i] += weight * own[i];
    }
    const mean = sum.map((value) => value / precision);
    const part = { attributes: set, counts: centred(mean, sizesOf(domain, set)) };
    parts.set(key, part);
    return part;
  };
  return marginals.map(({ attributes }) => {
    const counts = new Float64Array(cells(attributes));
    for (const set of subsets(attributes)) {
      const part = partOf(set);
      const spread = spreadTo(part, domain, attributes);
      for (let i = 0; i < counts.length; i++) counts[i] += spread[i];
    }
    return { attributes, counts };
  });
};

/** Every cell's share of the cell of `table` that it lies in. */
const spreadTo = (table: LocalTable, domain: Domain, attributes: readonly string[]): Float64Array => {
  const sizes = sizesOf(domain, attributes);
  const length = sizes.reduce((product, size) => product * size, 1);
  const strides = new Array<number>(attributes.length).fill(0);
  let stride = 1;
  for (const name of [...table.attributes].reverse()) {
    const axis = attributes.indexOf(name);
    strides[axis] = stride;
    stride *= sizes[axis];
  }
  const share = table.counts.length / length;
  return Float64Array.from({ length }, (_, cell) => {
    let at = 0;
    let rest = cell;
    for (let axis = sizes.length - 1; axis >= 0; axis--) {
      at += (rest % sizes[axis]) * strides[axis];
      rest = Math.floor(rest / sizes[axis]);
    }
    return table.counts[at] * share;
  });
};
