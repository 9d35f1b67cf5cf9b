import { indexOf, project } from '../../domain/domain.js';
import { codeColumn } from '../../domain/table.js';
import type { Support } from '../../model/support/support.js';

/** The rows of a support as some attributes tell them apart. */
export interface RowClasses {
  /** The distinct combinations of those attributes, each with the weight of all its rows. */
  readonly support: Support;
  /** The combination of every row. */
  readonly classOf: Uint32Array;
}

/**
 * Sees a support through some attributes. An estimate that starts at the support and measures those attributes alone treats rows
 * of one class alike, so it may work on the classes and be carried back (`carryBack`). About 50 ns a row and attribute.
 */
export const rowClasses = (support: Support, attributes: readonly string[]): RowClasses => {
  const domain = project(support.domain, attributes);
  const columns = domain.attributes.map(({ name }) => support.columns[indexOf(support.domain, name)]);
  const classOf = new Uint32Array(support.length);
  let first: number[] = [0];
  columns.forEach((column, a) => {
    const { size } = domain.attributes[a];
    const known = new Map<number, number>();
    first = [];
    for (let row = 0; row < support.length; row++) {
      const key = classOf[row] * size + column[row];
      let number = known.get(key);
      if (number === undefined) {
        number = first.push(row) - 1;
        known.set(key, number);
      }
      classOf[row] = number;
    }
  });
  const weights = new Float64Array(first.length);
  for (let row = 0; row < support.length; row++) weights[classOf[row]] += support.weights[row];
  return {
    classOf,
    support: {
      domain,
      length: first.length,
      weights,
      columns: columns.map((column, a) => {
        const kept = codeColumn(domain.attributes[a].size, first.length);
        first.forEach((row, i) => {
          kept[i] = column[row];
        });
        return kept;
      }),
    },
  };
};

/**
 * Weights of the rows when the classes have these weights and rows share the weight of their class as before: the distribution
 * nearest in KL to the support's that has them. A class without weight before stays without.
 */
export const carryBack = (
  { weights }: Support,
  { support, classOf }: RowClasses,
  estimated: Float64Array,
): Float64Array => {
  const ratio = estimated.map((weight, c) => (support.weights[c] > 0 ? weight / support.weights[c] : 0));
  return weights.map((weight, row) => weight * ratio[classOf[row]]);
};
