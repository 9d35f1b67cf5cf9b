import type { GraphicalModel } from '../../model/graphical/graphical-model.js';
import { graphicalModel } from '../../model/graphical/graphical-model.js';
import { type MarginalOracle, openOracle } from '../../model/graphical/oracle/oracle.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import type { Measurement } from '../../privacy/measurement.js';
import { fitOn } from './fit-on.js';
import { logFactors } from './log-factors.js';
import type { GraphicalOptions } from './options.js';
import { dependence } from './prior/dependence.js';
import { cliqueKey } from './targets.js';
import { withZeros, zeroFactors } from './zeros.js';

/**
 * An exact model of what an approximate oracle found: of its factors, as many as have a junction tree within the memory, most
 * informative first (the divergence of a marginal from the product of its one-way marginals), fitted by least squares to the
 * pseudo-marginals, which need not be those of any distribution.
 */
export const exactPart = async (
  oracle: MarginalOracle,
  marginals: Float64Array,
  total: number,
  options: GraphicalOptions,
): Promise<GraphicalModel> => {
  const { domain } = oracle.tree;
  const { memory = 2e9 } = options;
  const tables = oracle.factors.map(({ attributes, offset, cells }) => ({
    attributes,
    shares: marginals.subarray(offset, offset + cells),
  }));
  const ranked = tables.map((table) => ({ ...table, gain: dependence(domain, table) })).sort((a, b) => b.gain - a.gain);
  // What constraints forbid is forbidden by the tables of their own columns, so those are kept whatever they tell.
  const bound = new Set(zeroFactors(domain).map(({ attributes }) => cliqueKey(attributes)));
  const isBound = ({ attributes }: (typeof ranked)[number]): boolean => bound.has(cliqueKey(attributes));
  const kept = ranked.filter(isBound);
  for (const table of ranked.filter((one) => !isBound(one))) {
    const { bytes } = treeSize(
      junctionTree(
        domain,
        [...kept, table].map(({ attributes }) => attributes),
      ),
    );
    // An oracle holds products, messages and vectors beside the tree's own tables.
    if (bytes * 4 <= memory) kept.push(table);
  }
  const measurements = kept.map(
    ({ attributes, shares }): Measurement => ({
      query: { kind: 'marginal', attributes },
      values: shares.map((share) => share * total),
      noise: { kind: 'gaussian', scale: 1 },
    }),
  );
  const cliques = kept.map(({ attributes }) => attributes);
  const { signal } = options;
  const exact = await openOracle(domain, cliques, { memory, signal });
  try {
    const fit = await fitOn(exact, measurements, { total, until: 'converged', signal });
    return graphicalModel(exact.tree, withZeros(domain, logFactors(exact, fit.potentials)), total, {
      approximate: true,
    });
  } finally {
    exact.close();
  }
};
