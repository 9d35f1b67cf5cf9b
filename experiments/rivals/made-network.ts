import { domainOf } from '../../src/domain/domain-of.js';
import { codeColumn, type Table } from '../../src/domain/table.js';
import { seeded } from '../../src/random/seeded.js';
import { uniform, uniformInteger } from '../../src/random/uniform.js';

/** Parents of an attribute, and how unequal its values are given theirs: the power of an exponential variable. */
const [parents, unequal] = [2, 2];
/** Values of a parent that make a difference, at most: neighbours go together. */
const stretches = 6;

/**
 * Rows of a random Bayesian network over attributes of these sizes: each has two of the earlier ones as parents, and a distribution of its own for
 * every value of theirs. The network depends on the seed alone, the rows on `draws` as well; nobody in them is real.
 */
export const madeNetwork = (sizes: readonly number[], rows: number, seed: number, draws = 0): Table => {
  const making = seeded(seed);
  const above = sizes.map((_, i) => {
    const chosen = new Set<number>();
    while (chosen.size < Math.min(parents, i)) chosen.add(uniformInteger(making, i));
    return [...chosen];
  });
  // All distributions are made before any row, so that the network does not depend on which rows come.
  const laws = sizes.map((size, i) => {
    const contexts = above[i].reduce((product, p) => product * Math.min(stretches, sizes[p]), 1);
    return Array.from({ length: contexts }, () => {
      const shares = Array.from({ length: size }, () => (-Math.log(1 - uniform(making))) ** unequal);
      const whole = shares.reduce((sum, share) => sum + share, 0);
      let sum = 0;
      return shares.map((share) => {
        sum += share / whole;
        return sum;
      });
    });
  });
  const drawing = seeded(1000 * seed + draws);
  const columns = sizes.map((size) => codeColumn(size, rows));
  for (let row = 0; row < rows; row++)
    sizes.forEach((size, i) => {
      const context = above[i].reduce((cell, p) => {
        const kinds = Math.min(stretches, sizes[p]);
        return cell * kinds + Math.floor((columns[p][row] * kinds) / sizes[p]);
      }, 0);
      const at = uniform(drawing);
      const value = laws[i][context].findIndex((sum) => at < sum);
      columns[i][row] = value < 0 ? size - 1 : value;
    });
  const domain = domainOf(sizes.map((size, i) => ({ type: 'integer', name: `a${i}`, min: 0, max: size - 1 })));
  return { domain, length: rows, columns };
};
