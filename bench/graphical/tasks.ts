import { loadCodes } from '../../experiments/data/load-codes.js';
import { type Domain, sizesOf } from '../../src/domain/domain.js';
import { domainOf } from '../../src/domain/domain-of.js';
import { attributeOrder } from '../../src/model/graphical/tree/junction-tree.js';
import { normal } from '../../src/random/normal.js';
import { seeded } from '../../src/random/seeded.js';
import { uniform } from '../../src/random/uniform.js';
import { countMarginals } from './count-marginals.js';
import type { GraphicalTask } from './task.js';

/**
 * The pairs of mbi's own convergence benchmark: by mutual information, the largest first, as long as no clique of the junction
 * tree has more than 5,000 cells. Its tree has 10 cliques and 22,303 cells.
 */
const ADULT_PAIRS = `
  marital-status relationship, workclass occupation, relationship sex, age marital-status, education-num occupation,
  age relationship, occupation hours-per-week, relationship income>50K, age education-num, marital-status sex,
  marital-status income>50K, race native-country, capital-gain income>50K, education-num native-country,
  fnlwgt native-country, relationship capital-gain, workclass education-num, capital-loss income>50K, sex income>50K,
  relationship capital-loss, occupation race, education-num race, sex capital-gain, sex capital-loss`
  .split(',')
  .map((pair) => pair.trim().split(' '));

/** All single attributes and 24 pairs of Adult with Gaussian noise of standard deviation 10, and the true total. */
export const adultTask = (data: string): GraphicalTask => {
  const table = loadCodes(data, 'pgm-four/adult');
  const { domain } = table;
  const random = seeded(1);
  const stddev = 10;
  const cliques = [...domain.attributes.map(({ name }) => [name]), ...ADULT_PAIRS];
  const tables = countMarginals(table, cliques).map((counts, i) => ({
    attributes: cliques[i],
    values: counts.map((count) => count + stddev * normal(random)),
  }));
  return { domain, total: table.length, stddev, tables };
};

const named = (sizes: readonly number[]): Domain =>
  domainOf(sizes.map((size, i) => ({ type: 'integer', name: `a${i}`, min: 0, max: size - 1 })));

const cellsOf = (domain: Domain, attributes: readonly string[]): number =>
  sizesOf(domain, attributes).reduce((product, size) => product * size, 1);

/** Noisy counts around the uniform distribution, of tables that any model of the cliques can come near. */
const noisyTask = (domain: Domain, cliques: readonly (readonly string[])[], total: number): GraphicalTask => {
  const random = seeded(2);
  const stddev = 10;
  const tables = cliques.map((attributes) => {
    const cells = cellsOf(domain, attributes);
    return { attributes, values: Float64Array.from({ length: cells }, () => total / cells + stddev * normal(random)) };
  });
  return { domain, total, stddev, tables };
};

/** Every three neighbours of `count` attributes of size 10 (the paper's figure 2b). */
export const chainTask = (count: number): GraphicalTask => {
  const domain = named(new Array<number>(count).fill(10));
  const names = domain.attributes.map(({ name }) => name);
  return noisyTask(
    domain,
    names.slice(2).map((_, i) => names.slice(i, i + 3)),
    100_000,
  );
};

/** One clique of 10^7 cells. */
export const bigTask = (): GraphicalTask => {
  const domain = named(new Array<number>(7).fill(10));
  return noisyTask(domain, [domain.attributes.map(({ name }) => name)], 1e8);
};

/** A random tree of 80 pairs over 81 attributes of sizes 2 to 130, with normal log potentials. */
export const treeTask = (): GraphicalTask => {
  const random = seeded(3);
  const sizes = Array.from({ length: 81 }, () => Math.round(2 * 65 ** uniform(random)));
  const domain = named(sizes);
  const order = attributeOrder(domain);
  const tables = sizes.slice(1).map((_, i) => {
    const pair = [`a${Math.floor(uniform(random) * (i + 1))}`, `a${i + 1}`];
    const attributes = pair.sort((x, y) => order.indexOf(x) - order.indexOf(y));
    return { attributes, values: Float64Array.from({ length: cellsOf(domain, attributes) }, () => normal(random)) };
  });
  return { domain, total: 1, stddev: 0, tables };
};
