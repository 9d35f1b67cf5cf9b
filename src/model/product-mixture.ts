import { type Domain, indexOf } from '../domain/domain.js';
import { InputError } from '../domain/input-error.js';
import { codeColumn, type Table } from '../domain/table.js';
import { answerFrom, attributesOf } from '../query/answer.js';
import { kindOf } from '../query/block/block-kinds.js';
import { factorsOf } from '../query/factors.js';
import type { Query } from '../query/query.js';
import type { Random } from '../random/random.js';
import { shuffle } from '../random/shuffle.js';
import { marginalCells } from './marginal-cells.js';
import type { Model } from './model.js';
import { roundedCounts } from './rounded-counts.js';

/**
 * An even mixture of distributions in each of which the attributes are independent: what a generator makes of its noise (H-GEM, section
 * 4.2). The probability of a record is the mean over components of the product of the probabilities of its codes.
 */
export interface ProductMixture extends Model {
  readonly kind: 'mixture';
  readonly components: number;
  /** For each component the probabilities of all cells of all attributes, one attribute after the other in the domain's order. */
  readonly probabilities: Float32Array;
}

/** Where the cells of each attribute begin in a component, and in the end how many there are together. */
const firstColumns = ({ attributes }: Domain): number[] => {
  const first = [0];
  for (const { size } of attributes) first.push(first[first.length - 1] + size);
  return first;
};

/** In doubles, each attribute's probabilities summing to 1: single precision leaves them 1e-7 off. */
const normalised = (domain: Domain, probabilities: Float32Array): Float64Array => {
  const exact = Float64Array.from(probabilities);
  for (let at = 0; at < exact.length; )
    for (const { name, size } of domain.attributes) {
      let sum = 0;
      for (let i = at; i < at + size; i++) sum += exact[i] >= 0 ? exact[i] : Number.NaN;
      if (!(Math.abs(sum - 1) < 1e-3))
        throw new InputError(`mixture: the probabilities of ${JSON.stringify(name)} must add up to 1, got others`);
      for (const end = at + size; at < end; at++) exact[at] /= sum;
    }
  return exact;
};

/** Models `total` records by a mixture; the probabilities are kept, not copied. A marginal costs as many products as it has cells, for each component. */
export const productMixture = (domain: Domain, probabilities: Float32Array, total: number): ProductMixture => {
  const first = firstColumns(domain);
  const columns = first[first.length - 1];
  const components = probabilities.length / columns;
  if (!(Number.isSafeInteger(components) && components >= 1))
    throw new InputError(`mixture: must have ${columns} probabilities a component, got ${probabilities.length}`);
  const exact = normalised(domain, probabilities);
  const placesOf = (attributes: readonly string[]) =>
    attributes.map((name) => {
      const index = indexOf(domain, name);
      return { from: first[index], size: domain.attributes[index].size };
    });

  /** The marginal of components that weigh so much each. */
  const sums = (attributes: readonly string[], weights: Float64Array): Float64Array => {
    const counts = new Float64Array(marginalCells(domain, attributes));
    const places = placesOf(attributes);
    const last = places.pop();
    // Products of all but the last attribute.
    const products = new Float64Array(counts.length / (last?.size ?? 1));
    for (let component = 0; component < components; component++) {
      const at = component * columns;
      products[0] = weights[component];
      let cells = 1;
      for (const { from, size } of places) {
        // From the end, since each product makes room for `size` others.
        for (let i = cells - 1; i >= 0; i--) {
          const own = products[i];
          for (let j = size - 1; j >= 0; j--) products[i * size + j] = own * exact[at + from + j];
        }
        cells *= size;
      }
      if (last === undefined) counts[0] += products[0];
      else
        for (let i = 0, to = 0; i < cells; i++) {
          const own = products[i];
          const start = at + last.from;
          for (let j = start; j < start + last.size; j++) counts[to++] += own * exact[j];
        }
    }
    return counts;
  };

  const even = new Float64Array(components).fill(total / components);
  /** The query without its conditions, and what of each component meets them. */
  const chosen = (query: Query): { readonly rest: Query; readonly weights: Float64Array } => {
    const factors = factorsOf(query, domain);
    const rest = factors.filter(({ block }) => kindOf(block).cells === undefined);
    if (rest.length === factors.length) return { rest: query, weights: even };
    const weights = even.slice();
    for (const { attributes, block } of factors) {
      const cells = kindOf(block).cells?.(block);
      if (cells === undefined) continue;
      const [{ from }] = placesOf(attributes);
      for (let component = 0; component < components; component++) {
        let inside = 0;
        for (const cell of cells) inside += exact[component * columns + from + cell];
        weights[component] *= inside;
      }
    }
    const others = rest.map(({ attributes: [attribute], block }) => ({ attribute, block }));
    return { rest: { kind: 'factored', factors: others }, weights };
  };

  return {
    kind: 'mixture',
    domain,
    total,
    components,
    probabilities,
    cost: { bytes: 12 * probabilities.length, visits: Number.POSITIVE_INFINITY },
    marginal: (attributes) => sums(attributes, even),
    answer: (query) => {
      const { rest, weights } = chosen(query);
      return answerFrom(rest, domain, sums(attributesOf(rest), weights));
    },
    sample: (rows, random) => sampleMixture(domain, exact, components, rows, random),
  };
};

/**
 * Rows of the mixture: as many of each component as of any other up to one, and in a component as many of each code as its probability
 * says, up to one, in an order of its own for each attribute. Counts deviate less than those of independent draws.
 */
const sampleMixture = (
  domain: Domain,
  exact: Float64Array,
  components: number,
  rows: number,
  random: Random,
): Table => {
  const shares = roundedCounts(new Float64Array(components).fill(1 / components), rows, random);
  const order = shuffle(
    Uint32Array.from({ length: rows }, (_, row) => row),
    random,
  );
  const target = domain.attributes.map(({ size }) => codeColumn(size, rows));
  let [next, at] = [0, 0];
  for (const own of shares) {
    domain.attributes.forEach(({ size }, a) => {
      const codes: number[] = [];
      if (own > 0)
        roundedCounts(exact.subarray(at, at + size), own, random).forEach((copies, code) => {
          for (let copy = 0; copy < copies; copy++) codes.push(code);
        });
      shuffle(codes, random).forEach((code, i) => {
        target[a][order[next + i]] = code;
      });
      at += size;
    });
    next += own;
  }
  return { domain, length: rows, columns: target };
};
