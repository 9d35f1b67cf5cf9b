import { type Domain, indexOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { limits } from '../../domain/limits.js';
import { type CodeColumn, codeColumn, rowBytes, type Table } from '../../domain/table.js';
import { supportOf } from '../../model/support/support.js';
import { type SupportModel, supportModel } from '../../model/support/support-model.js';
import type { Measurement } from '../../privacy/measurement.js';
import type { Random } from '../../random/random.js';
import { uniform } from '../../random/uniform.js';
import { estimateTotal } from '../total/estimate-total.js';
import { checkNetwork, type Network, type NetworkNode, nodeMarginal } from './network.js';

/** How a Bayesian network becomes rows. */
export interface NetworkEstimateOptions {
  /** Draws the rows: post-processing, so any generator will do. */
  readonly random: Random;
  /** Number of records; by default as the measurements say. */
  readonly total?: number | undefined;
  /** Rows to draw; as many as there are records by default, or what fits in the bytes that a drawn table may take. */
  readonly rows?: number | undefined;
}

/**
 * The conditional distributions of a node, one behind the other, each as running sums up to 1: noisy counts below 0 are taken for 0, and
 * parents that were never seen say nothing about it.
 */
const conditionals = (counts: Float64Array, size: number): Float64Array => {
  const sums = new Float64Array(counts.length);
  for (let start = 0; start < counts.length; start += size) {
    let mass = 0;
    for (let code = 0; code < size; code++) mass += Math.max(0, counts[start + code]);
    let sum = 0;
    for (let code = 0; code < size; code++) {
      sum += mass > 0 ? Math.max(0, counts[start + code]) / mass : 1 / size;
      sums[start + code] = sum;
    }
  }
  return sums;
};

/** The first code whose running sum is above u; the last one with a chance of its own where rounding left u above them all. */
const drawCode = (sums: Float64Array, start: number, size: number, u: number): number => {
  let [low, high] = [0, size - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[start + middle] > u) high = middle;
    else low = middle + 1;
  }
  while (low > 0 && sums[start + low] === sums[start + low - 1]) low--;
  return low;
};

const countsOf = (measurements: readonly Measurement[], node: NetworkNode): Float64Array => {
  const { attributes } = nodeMarginal(node);
  const found = measurements.find(
    ({ query }) =>
      query.kind === 'marginal' &&
      query.attributes.length === attributes.length &&
      query.attributes.every((name, i) => name === attributes[i]),
  );
  if (found === undefined)
    throw new InputError(`measurements: must have the marginal of ${attributes.join(' x ')} for the network, got none`);
  return found.values;
};

/** Rows drawn from the network, attribute by attribute, parents first. */
const drawRows = (
  domain: Domain,
  network: Network,
  measurements: readonly Measurement[],
  length: number,
  random: Random,
): Table => {
  const columns = domain.attributes.map(({ size }): CodeColumn => codeColumn(size, length));
  for (const node of network) {
    const own = indexOf(domain, node.of);
    const { size } = domain.attributes[own];
    const sums = conditionals(countsOf(measurements, node), size);
    const parents = node.on.map((name) => {
      const index = indexOf(domain, name);
      return { column: columns[index], size: domain.attributes[index].size };
    });
    const target = columns[own];
    for (let row = 0; row < length; row++) {
      let cell = 0;
      for (const parent of parents) cell = cell * parent.size + parent.column[row];
      target[row] = drawCode(sums, cell * size, size, uniform(random));
    }
  }
  return { domain, length, columns };
};

/**
 * PrivBayes' own estimate (Zhang et al. 2017, noisy conditionals and sampling): noisy marginals of a network's nodes, without what is below 0, as conditional
 * distributions, and as many rows drawn from their product as there are records. The model is these rows. Only noisy answers
 * enter: post-processing, at no privacy cost.
 */
export const estimateNetwork = (
  domain: Domain,
  network: Network,
  measurements: readonly Measurement[],
  options: NetworkEstimateOptions,
): SupportModel => {
  checkNetwork(domain, network);
  const total = options.total ?? estimateTotal(measurements);
  const most = Math.max(1, Math.floor(limits.redrawnBytes / rowBytes(domain)));
  const rows = options.rows ?? Math.min(most, Math.max(1, Math.round(total)));
  if (!(Number.isSafeInteger(rows) && rows >= 1 && rows <= most))
    throw new InputError(`rows: must be a whole number from 1 to ${most}, got ${rows}`);
  return supportModel(supportOf(drawRows(domain, network, measurements, rows, options.random)), total);
};
