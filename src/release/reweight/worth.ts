import { declaredCells } from '../../domain/declared-cells.js';
import { cellsOf, type Domain, indexOf } from '../../domain/domain.js';
import type { Support } from '../../model/support/support.js';

/**
 * One attribute, or what two have together beyond each alone (their residual): how far noise would misplace it, and how far a public table is
 * likely to, as total variation distances.
 */
export interface Learnable {
  readonly attributes: readonly string[];
  /** Cells that count: as many equal ones would have the same sum of roots of shares. */
  readonly cells: number;
  /** Dimensions of the residual for each cell of its marginal. */
  readonly part: number;
  /** Square of how far the public table is likely to be off. */
  readonly gap: number;
  /** How far shares are from equal ones: the sum of their squares, less what equal shares would have. */
  readonly uneven: number;
}

/** A total variation distance is half a sum of absolute errors, whose mean is so many standard deviations. */
const halfMean = Math.sqrt(2 / Math.PI) / 2;
/**
 * Standard deviation of the logarithm by which the share of a cell of an attribute differs between a public and a private table, sampling aside, and
 * the same of a cell of a pair beyond what its attributes do.
 */
const [drift, pairDrift] = [0.3, 0.05];
/** Rows that are looked up in pairs, all pairs together: more of them say hardly more of how many cells count. */
const mostLookups = 2.5e7;
const fewestRows = 500;

/** Of attributes, and of pairs, what there is to learn by a public table of `publicRecords` about a private one of about `records`. */
export const learnables = (
  prior: Support,
  sets: readonly (readonly string[])[],
  { records, publicRecords }: { readonly records: number; readonly publicRecords: number },
): Learnable[] => {
  const { domain } = prior;
  const declared = declaredCells(domain);
  const rows = lookedRows(prior.length, sets.length);
  const whole = rows.reduce((sum, row) => sum + prior.weights[row], 0);
  return sets.map((attributes) => {
    let [roots, squares] = [0, 0];
    for (const weight of weightsIn(prior, attributes, rows)) {
      roots += Math.sqrt(weight / whole);
      squares += (weight / whole) ** 2;
    }
    const cells = roots ** 2;
    const part = partOf(declared, attributes);
    const sampling = halfMean ** 2 * cells * (1 / publicRecords + 1 / records);
    const own = attributes.length === 1 ? drift : pairDrift;
    const gap = part * (sampling + (halfMean * own * (1 - squares)) ** 2);
    return { attributes, cells, part, gap, uneven: Math.max(0, squares - 1 / cellsOf(declared, attributes)) };
  });
};

const partOf = (domain: Domain, attributes: readonly string[]): number =>
  attributes.reduce((product, name) => product * (1 - 1 / domain.attributes[indexOf(domain, name)].size), 1);

/** All rows, or as many of them, evenly spaced, as can be looked up in so many sets. */
const lookedRows = (length: number, sets: number): Uint32Array => {
  const count = Math.min(length, Math.max(fewestRows, Math.floor(mostLookups / Math.max(1, sets))));
  return Uint32Array.from({ length: count }, (_, i) => Math.floor((i * length) / count));
};

/** The weight of these rows in each cell. */
const weightsIn = (
  { domain, columns, weights }: Support,
  names: readonly string[],
  rows: Uint32Array,
): Float64Array => {
  const indices = names.map((name) => indexOf(domain, name));
  const sizes = indices.map((index) => domain.attributes[index].size);
  const sums = new Float64Array(sizes.reduce((product, size) => product * size, 1));
  for (const row of rows) {
    let cell = 0;
    for (let a = 0; a < indices.length; a++) cell = cell * sizes[a] + columns[indices[a]][row];
    sums[cell] += weights[row];
  }
  return sums;
};

/** Square of the total variation distance that noise of a variance in every cell makes of a residual. */
export const noiseOf = ({ cells, part }: Learnable, variance: number, records: number): number =>
  part * variance * ((halfMean * cells) / records) ** 2;
