import { cellsOf, type Domain, sizesOf } from '../../../domain/domain.js';
import { addFrom, cellWalk, stridesIn, sumInto } from '../../../model/graphical/cell-walk.js';

/** Kullback-Leibler divergence, in nats, of a table of proportions from the product of its one-way marginals. */
export const dependence = (
  domain: Domain,
  { attributes, shares }: { readonly attributes: readonly string[]; readonly shares: Float64Array },
): number => {
  const logs = new Float64Array(shares.length);
  for (const name of attributes) {
    const walk = cellWalk(sizesOf(domain, attributes), stridesIn(attributes, [name], sizesOf(domain, [name])));
    const single = new Float64Array(cellsOf(domain, [name]));
    sumInto(walk, shares, single);
    addFrom(walk, logs, single.map(Math.log));
  }
  return shares.reduce((sum, share, cell) => (share > 0 ? sum + share * (Math.log(share) - logs[cell]) : sum), 0);
};
