import { stridesOf } from '../../domain/cell-index.js';
import { cellsOf, type Domain, sizesOf } from '../../domain/domain.js';
import type { LogFactor } from '../../model/graphical/calibrate.js';
import { attributeOrder } from '../../model/graphical/tree/junction-tree.js';
import type { Random } from '../../random/random.js';
import { shuffle } from '../../random/shuffle.js';

/** Noisy proportions of all cells of a marginal, row-major in the order of its attributes. */
export interface MeasuredMarginal {
  readonly attributes: readonly string[];
  readonly proportions: Float64Array;
}

/** The joint distribution of some attributes, in the tree's order, that measurements have tied together, and those measurements. */
interface Component {
  readonly attributes: readonly string[];
  readonly table: Float64Array;
  readonly measured: readonly Included[];
}

/** A measurement with the cell of its marginal that each cell of the component lies in; measurements of one marginal share the latter. */
interface Included extends MeasuredMarginal {
  readonly cellOf: Uint32Array;
}

/**
 * Multiplicative weights in factored form (Hardt, Ligett, McSherry 2012; Private-PGM, section 4): a product of independent distributions, one for
 * each set of attributes that measurements connect. A measurement across several of them joins them, so what is held grows with their
 * product; attributes that nothing was measured of are uniform and held nowhere.
 */
export interface FactoredWeights {
  /** Bytes that the component of a measurement of these attributes would take: its table, a second one while it is made, and the cells of each marginal. */
  bytesWith(attributes: readonly string[]): number;
  /** Joins what the measurement connects, and updates by it and by all that was measured of the same attributes before. */
  include(measurement: MeasuredMarginal): void;
  /** The distribution as factors of disjoint attributes. */
  factors(): LogFactor[];
}

const keyOf = (attributes: readonly string[]): string => JSON.stringify(attributes);

/** For each cell of a table over `attributes`, the cell of the marginal over `inner` that it lies in. */
const cellsInside = (domain: Domain, attributes: readonly string[], inner: readonly string[]): Uint32Array => {
  const strides = stridesOf(sizesOf(domain, inner));
  const steps = attributes.map((name) => (inner.includes(name) ? strides[inner.indexOf(name)] : 0));
  let cells = new Uint32Array(1);
  for (const [axis, size] of sizesOf(domain, attributes).entries()) {
    const wider = new Uint32Array(cells.length * size);
    for (let cell = 0; cell < cells.length; cell++)
      for (let code = 0; code < size; code++) wider[cell * size + code] = cells[cell] + code * steps[axis];
    cells = wider;
  }
  return cells;
};

/** One update by all cells of a measured marginal at once: p ~ p exp((y - p_cell) / 2), equation 2 for queries that do not overlap. */
const update = (table: Float64Array, { proportions, cellOf }: Included): void => {
  const expected = new Float64Array(proportions.length);
  for (let i = 0; i < table.length; i++) expected[cellOf[i]] += table[i];
  const factor = expected.map((mass, cell) => Math.exp((proportions[cell] - mass) / 2));
  const sum = expected.reduce((all, mass, cell) => all + mass * factor[cell], 0);
  for (let i = 0; i < table.length; i++) table[i] *= factor[cellOf[i]] / sum;
};

/** Starts uniform; each measurement is followed by `passes` updates by every one of its component, in random order. */
export const factoredWeights = (
  domain: Domain,
  { passes, random }: { readonly passes: number; readonly random: Random },
): FactoredWeights => {
  const order = attributeOrder(domain);
  let components: readonly Component[] = [];
  const touching = (attributes: readonly string[]): Component[] =>
    components.filter((component) => component.attributes.some((name) => attributes.includes(name)));
  const joined = (attributes: readonly string[]): string[] => {
    const all = new Set([...touching(attributes).flatMap((component) => component.attributes), ...attributes]);
    return order.filter((name) => all.has(name));
  };

  /** Measurements with their cells in a table of these attributes, worked out once for each marginal. */
  const placed = (measured: readonly MeasuredMarginal[], names: readonly string[]): Included[] => {
    const found = new Map<string, Uint32Array>();
    return measured.map(({ attributes, proportions }) => {
      const cellOf = found.get(keyOf(attributes)) ?? cellsInside(domain, names, attributes);
      found.set(keyOf(attributes), cellOf);
      return { attributes, proportions, cellOf };
    });
  };

  /** The product of the components that these attributes touch, and of uniform ones for the attributes that are new. */
  const join = (attributes: readonly string[]): Component => {
    const parts = touching(attributes);
    const names = joined(attributes);
    const table = new Float64Array(cellsOf(domain, names)).fill(1);
    for (const part of parts) {
      const cellOf = cellsInside(domain, names, part.attributes);
      for (let i = 0; i < table.length; i++) table[i] *= part.table[cellOf[i]];
    }
    const sum = table.reduce((all, mass) => all + mass, 0);
    for (let i = 0; i < table.length; i++) table[i] /= sum;
    const wider = parts.length !== 1 || parts[0].attributes.length < names.length;
    const measured = parts.flatMap((part) => part.measured);
    return { attributes: names, table, measured: wider ? placed(measured, names) : measured };
  };

  return {
    bytesWith: (attributes) => {
      const marginals = touching(attributes).flatMap(({ measured }) => measured.map((one) => keyOf(one.attributes)));
      const distinct = new Set([...marginals, keyOf(attributes)]).size;
      return cellsOf(domain, joined(attributes)) * (16 + 4 * distinct);
    },
    include({ attributes, proportions }) {
      const others = components.filter((component) => !touching(attributes).includes(component));
      const { attributes: names, table, measured } = join(attributes);
      const known = measured.find((one) => keyOf(one.attributes) === keyOf(attributes));
      const cellOf = known?.cellOf ?? cellsInside(domain, names, attributes);
      const all = [...measured, { attributes, proportions, cellOf }];
      for (let pass = 0; pass < passes; pass++) for (const one of shuffle(all, random)) update(table, one);
      components = [...others, { attributes: names, table, measured: all }];
    },
    factors: () =>
      components.map(({ attributes, table }) => ({ attributes, potential: table.map((mass) => Math.log(mass)) })),
  };
};
