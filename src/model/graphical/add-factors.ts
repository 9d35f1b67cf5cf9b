import { addFrom, cellWalk, stridesIn } from './cell-walk.js';
import { planProducts } from './oracle/exact/plan-products.js';
import { type Table, table } from './oracle/table-step.js';

/** Values over some attributes, by their places in an order, ascending; row-major. */
export interface PlacedValues {
  readonly attributes: readonly number[];
  readonly values: Float64Array;
}

/** target[cell] += source[the cell of its attributes in it]. */
const addTo = (target: PlacedValues, source: PlacedValues, sizes: readonly number[]): void => {
  const of = (attributes: readonly number[]): number[] => attributes.map((attribute) => sizes[attribute]);
  const strides = stridesIn(target.attributes, source.attributes, of(source.attributes));
  addFrom(cellWalk(of(target.attributes), strides), target.values, source.values);
};

/**
 * Adds inputs to every cell of a table that holds their attributes. Small ones are added among themselves first (`planProducts`, in logarithms), so that
 * hardly more than two walks over the table itself are left of twenty.
 */
export const addFactors = (target: PlacedValues, inputs: readonly PlacedValues[], sizes: readonly number[]): void => {
  // Attributes of one cell change nothing, and a table has too few others for sets of them not to fit into bits.
  const wide = ({ attributes, values }: PlacedValues): PlacedValues => ({
    attributes: attributes.filter((attribute) => sizes[attribute] > 1),
    values,
  });
  const own = wide(target);
  const valuesOf = new Map<Table, Float64Array>();
  const tables = inputs.map(wide).map(({ attributes, values }) => {
    const made = table(attributes, sizes);
    valuesOf.set(made, values);
    return made;
  });
  const placed = (of: Table): PlacedValues => ({ attributes: of.attributes, values: valuesOf.get(of)! });
  const { groups, steps } = planProducts(tables, 2, own.values.length / 2, sizes);
  for (const { a, b, target: sum } of steps) {
    valuesOf.set(sum!, new Float64Array(sum!.cells));
    for (const each of [a, b]) addTo(placed(sum!), placed(each), sizes);
  }
  for (const group of groups) addTo(own, placed(group), sizes);
};
