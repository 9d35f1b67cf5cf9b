import { cellsOf, type Domain, sizesOf } from '../../src/domain/domain.js';
import type { LogFactor } from '../../src/model/graphical/calibrate.js';
import type { JunctionTree } from '../../src/model/graphical/tree/junction-tree.js';
import { normal } from '../../src/random/normal.js';
import { seeded } from '../../src/random/seeded.js';

/** Graphs of every awkward shape, over attributes a, b, c, ... that are small enough to hold the full table. */
export const shapes: Readonly<Record<string, { readonly sizes: number[]; readonly cliques: string[][] }>> = {
  'a chain': {
    sizes: [3, 2, 4, 2, 3],
    cliques: [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
      ['d', 'e'],
    ],
  },
  'a star with a branch': {
    sizes: [3, 2, 4, 2, 3, 2],
    cliques: [
      ['a', 'b'],
      ['a', 'c'],
      ['a', 'd'],
      ['d', 'e'],
      ['d', 'f'],
    ],
  },
  'a cycle': {
    sizes: [2, 3, 2, 3, 2],
    cliques: [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
      ['d', 'e'],
      ['e', 'a'],
    ],
  },
  'triples that overlap in pairs': {
    sizes: [2, 3, 2, 4, 2, 3],
    cliques: [['a', 'b', 'c'], ['b', 'c', 'd'], ['c', 'd', 'e'], ['d', 'e', 'f'], ['b']],
  },
  'parts that are not joined': { sizes: [3, 2, 4, 2, 3], cliques: [['a', 'b'], ['c', 'd'], ['e']] },
  'one clique': { sizes: [3, 2, 4, 1], cliques: [['a', 'b', 'c', 'd'], ['b', 'd'], []] },
  'no clique at all': { sizes: [3, 2, 4], cliques: [] },
};

/** A factor of normal potentials for each clique. */
export const randomFactors = (
  { domain, order }: JunctionTree,
  cliques: readonly (readonly string[])[],
  seed: number,
  spread: number,
): LogFactor[] => {
  const random = seeded(seed);
  return cliques.map((clique) => {
    const attributes = order.filter((name) => clique.includes(name));
    return {
      attributes,
      potential: Float64Array.from({ length: cellsOf(domain, attributes) }, () => spread * normal(random)),
    };
  });
};

const digits = (domain: Domain, cell: number): number[] => {
  const cells: number[] = [];
  for (let a = domain.attributes.length - 1; a >= 0; a--) {
    cells[a] = cell % domain.attributes[a].size;
    cell = Math.floor(cell / domain.attributes[a].size);
  }
  return cells;
};

const cellAmong = (domain: Domain, attributes: readonly string[], record: readonly number[]): number => {
  const sizes = sizesOf(domain, attributes);
  return attributes.reduce(
    (cell, name, i) => cell * sizes[i] + record[domain.attributes.findIndex((each) => each.name === name)],
    0,
  );
};

/** The probability of every record of the domain, row-major in its order, straight from the definition. */
export const fullTable = ({ domain }: JunctionTree, factors: readonly LogFactor[]): Float64Array => {
  const cells = domain.attributes.reduce((product, { size }) => product * size, 1);
  const log = Float64Array.from({ length: cells }, (_, cell) => {
    const record = digits(domain, cell);
    return factors.reduce(
      (sum, { attributes, potential }) => sum + potential[cellAmong(domain, attributes, record)],
      0,
    );
  });
  const most = Math.max(...log);
  const values = log.map((value) => Math.exp(value - most));
  const sum = values.reduce((all, value) => all + value, 0);
  return values.map((value) => value / sum);
};

/** The marginal of some attributes, in their order, of a full table. */
export const marginalOf = (domain: Domain, full: Float64Array, attributes: readonly string[]): Float64Array => {
  const out = new Float64Array(cellsOf(domain, attributes));
  full.forEach((value, cell) => {
    out[cellAmong(domain, attributes, digits(domain, cell))] += value;
  });
  return out;
};
