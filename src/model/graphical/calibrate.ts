import { sizesOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { addFactors, type PlacedValues } from './add-factors.js';
import { addFrom, type CellWalk, cellWalk, expFrom, maxInto, scaleFrom, stridesIn, sumInto } from './cell-walk.js';
import type { JunctionTree, TreeClique } from './tree/junction-tree.js';

/** The logarithm of a factor of the density, not normalised; -Infinity where a cell is impossible. */
export interface LogFactor {
  /** In the tree's order. */
  readonly attributes: readonly string[];
  /** Row-major in the order of `attributes`. */
  readonly potential: Float64Array;
}

/**
 * The probability of every cell of every clique under the density proportional to exp(sum of the factors), clique by clique.
 * Each factor must lie within a clique of the tree.
 *
 * Belief propagation in two passes. Inward, in logarithms: each clique becomes the conditional distribution of its own attributes
 * given the separator, and what it was divided by, the log-sum-exp for each cell of the separator, is the message to its parent.
 * Outward: a conditional times the marginal of the separator is the clique's marginal. One exponential a cell, and nothing can
 * overflow. About 30 ns for each cell of the tree, and memory for as much again at most.
 */
export const calibrate = (tree: JunctionTree, factors: readonly LogFactor[]): Float64Array[] => {
  checkFactors(tree, factors);
  const { domain, cliques } = tree;
  const sizes = cliques.map(({ attributes }) => sizesOf(domain, attributes));
  const tables = cliques.map(({ cells }) => new Float64Array(cells));
  const walkTo = (clique: number, attributes: readonly string[]): CellWalk =>
    cellWalk(sizes[clique], stridesIn(cliques[clique].attributes, attributes, sizesOf(domain, attributes)));

  const places = new Map(tree.order.map((name, place) => [name, place]));
  const placed = (attributes: readonly string[], values: Float64Array): PlacedValues => ({
    attributes: attributes.map((name) => places.get(name)!),
    values,
  });
  const own: PlacedValues[][] = cliques.map(() => []);
  for (const factor of factors) {
    own[cliqueOf(cliques, factor.attributes)].push(placed(factor.attributes, factor.potential));
  }
  const allSizes = sizesOf(domain, tree.order);
  for (const [clique, { attributes }] of cliques.entries())
    addFactors(placed(attributes, tables[clique]), own[clique], allSizes);

  for (let clique = cliques.length - 1; clique >= 0; clique--) {
    const { parent, separator } = cliques[clique];
    const walk = walkTo(clique, separator);
    const table = tables[clique];
    const cells = sizesOf(domain, separator).reduce((product, size) => product * size, 1);
    const message = new Float64Array(cells).fill(-Infinity);
    maxInto(walk, table, message);
    // Nothing is possible in a cell whose maximum is -Infinity; any finite number in its place leaves zeros there.
    for (let cell = 0; cell < cells; cell++) if (message[cell] === -Infinity) message[cell] = 0;
    expFrom(walk, table, message);
    const sums = new Float64Array(cells);
    sumInto(walk, table, sums);
    for (let cell = 0; cell < cells; cell++) {
      message[cell] += Math.log(sums[cell]);
      sums[cell] = sums[cell] > 0 ? 1 / sums[cell] : 0;
    }
    scaleFrom(walk, table, sums);
    if (parent >= 0) addFrom(walkTo(parent, separator), tables[parent], message);
    else if (!Number.isFinite(message[0]))
      throw new InputError(
        'factors: must leave some record possible and be finite or -Infinity, got a density without mass',
      );
  }

  cliques.forEach(({ parent, separator }, clique) => {
    if (parent < 0) return;
    const marginal = new Float64Array(sizesOf(domain, separator).reduce((product, size) => product * size, 1));
    sumInto(walkTo(parent, separator), tables[parent], marginal);
    scaleFrom(walkTo(clique, separator), tables[clique], marginal);
  });
  return tables;
};

/** The smallest clique that holds all of the attributes. */
const cliqueOf = (cliques: readonly TreeClique[], attributes: readonly string[]): number => {
  let best = -1;
  cliques.forEach((clique, index) => {
    if (best >= 0 && clique.cells >= cliques[best].cells) return;
    if (attributes.every((name) => clique.attributes.includes(name))) best = index;
  });
  if (best < 0)
    throw new InputError(`factor: its attributes must lie in one clique of the tree, got ${attributes.join(', ')}`);
  return best;
};

/** Refuses factors that have other cells than their attributes, are out of order, or lie within no clique of the tree. */
export const checkFactors = (tree: JunctionTree, factors: readonly LogFactor[]): void => {
  for (const factor of factors) {
    checkFactor(tree, factor);
    cliqueOf(tree.cliques, factor.attributes);
  }
};

const checkFactor = ({ domain, order }: JunctionTree, { attributes, potential }: LogFactor): void => {
  const cells = sizesOf(domain, attributes).reduce((product, size) => product * size, 1);
  if (potential.length !== cells)
    throw new InputError(`factor of ${attributes.join(', ')}: must have ${cells} cells, got ${potential.length}`);
  const places = attributes.map((name) => order.indexOf(name));
  if (places.some((place, i) => i > 0 && place <= places[i - 1]))
    throw new InputError(`factor: its attributes must be in the tree's order, got ${attributes.join(', ')}`);
};
