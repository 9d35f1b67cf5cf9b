import { sizesOf } from '../../../domain/domain.js';
import { cellWalk, stridesIn, sumInto } from '../cell-walk.js';
import type { JunctionTree } from './junction-tree.js';

const entropyOf = (probabilities: Float64Array): number => {
  let sum = 0;
  for (let cell = 0; cell < probabilities.length; cell++)
    if (probabilities[cell] > 0) sum -= probabilities[cell] * Math.log(probabilities[cell]);
  return sum;
};

/** Entropy in nats of the distribution with these clique marginals: that of the cliques less that of the separators. */
export const treeEntropy = ({ domain, cliques }: JunctionTree, beliefs: readonly Float64Array[]): number =>
  cliques.reduce((sum, { attributes, separator }, clique) => {
    const sizes = sizesOf(domain, separator);
    const marginal = new Float64Array(sizes.reduce((product, size) => product * size, 1));
    sumInto(cellWalk(sizesOf(domain, attributes), stridesIn(attributes, separator, sizes)), beliefs[clique], marginal);
    return sum + entropyOf(beliefs[clique]) - (separator.length === 0 ? 0 : entropyOf(marginal));
  }, 0);
