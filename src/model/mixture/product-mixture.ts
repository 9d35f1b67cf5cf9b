import { type Domain, indexOf } from '../../domain/domain.js';
import { codeColumn, type Table } from '../../domain/table.js';
import { atOnce, type Turns } from '../../domain/turns.js';
import { answerFrom, attributesOf } from '../../query/answer.js';
import type { Random } from '../../random/random.js';
import { shuffle } from '../../random/shuffle.js';
import { marginalCells } from '../marginal-cells.js';
import type { Model } from '../model.js';
import { roundedCounts } from '../rounded-counts.js';
import { type ComponentHeads, componentHeads, drawCodes, insideOf, multiplyIn } from './component-heads.js';
import { type Condition, withoutConditions } from './conditions.js';

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

/** Models `total` records by a mixture; the probabilities are kept, not copied. A marginal costs as many products as it has cells, for each component. */
export const productMixture = (domain: Domain, probabilities: Float32Array, total: number): ProductMixture => {
  const { attributes: all } = domain;
  const mixture = componentHeads(
    all.map(({ name }) => name),
    all.map(({ size }) => size),
    probabilities,
  );
  const { components, columns, heads, exact } = mixture;
  const placeOf = (name: string) => heads[indexOf(domain, name)];

  /** The marginal of components that weigh so much each. */
  const sums = (attributes: readonly string[], weights: Float64Array): Float64Array => {
    const counts = new Float64Array(marginalCells(domain, attributes));
    const places = attributes.map(placeOf);
    const last = places.pop();
    // Products of all but the last attribute.
    const products = new Float64Array(counts.length / (last?.size ?? 1));
    for (let component = 0; component < components; component++) {
      const at = component * columns;
      products[0] = weights[component];
      let cells = 1;
      for (const { from, size } of places) cells = multiplyIn(products, cells, mixture, at + from, size);
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
  /** What of each component meets conditions. */
  const meeting = (conditions: readonly Condition[]): Float64Array =>
    even.map((weight, component) =>
      conditions.reduce(
        (left, { attribute, cells }) => left * insideOf(mixture, component * columns + placeOf(attribute).from, cells),
        weight,
      ),
    );

  return {
    kind: 'mixture',
    domain,
    total,
    components,
    probabilities,
    cost: { bytes: 12 * probabilities.length, visits: Number.POSITIVE_INFINITY },
    marginal: (attributes) => sums(attributes, even),
    answer: (query) => {
      const { rest, conditions } = withoutConditions(query, domain);
      return answerFrom(rest, domain, sums(attributesOf(rest), meeting(conditions)));
    },
    sample: (rows, random) => atOnce(sampleMixture(domain, mixture, rows, random)),
    sampling: (rows, random) => sampleMixture(domain, mixture, rows, random),
  };
};

/**
 * Rows of the mixture: as many of each component as of any other up to one, and in a component as many of each code as its probability
 * says, up to one, in an order of its own for each attribute. Counts deviate less than those of independent draws.
 */
function* sampleMixture(domain: Domain, mixture: ComponentHeads, rows: number, random: Random): Turns<Table> {
  const { components, columns, heads } = mixture;
  const shares = roundedCounts(new Float64Array(components).fill(1 / components), rows, random);
  const order = shuffle(
    Uint32Array.from({ length: rows }, (_, row) => row),
    random,
  );
  const target = domain.attributes.map(({ size }) => codeColumn(size, rows));
  let next = 0;
  for (const [component, own] of shares.entries()) {
    heads.forEach(({ from, size }, a) => {
      drawCodes(mixture, component * columns + from, size, own, random).forEach((code, i) => {
        target[a][order[next + i]] = code;
      });
    });
    next += own;
    yield;
  }
  return { domain, length: rows, columns: target };
}
