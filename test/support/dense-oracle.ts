import type { Domain } from '../../src/domain/domain.js';
import { cellsOf, sizesOf } from '../../src/domain/domain.js';
import { createEngine } from '../../src/kernel/engine.js';
import { addFrom, type CellWalk, cellWalk, stridesIn, sumInto } from '../../src/model/graphical/cell-walk.js';
import type { MarginalOracle, OracleFactor } from '../../src/model/graphical/oracle/oracle.js';
import { attributeOrder, junctionTree } from '../../src/model/graphical/tree/junction-tree.js';

/** How the full table over a domain, row-major in the tree's order, maps to the marginal of some attributes. */
export const denseWalk = (domain: Domain, attributes: readonly string[]): CellWalk => {
  const order = attributeOrder(domain);
  return cellWalk(sizesOf(domain, order), stridesIn(order, attributes, sizesOf(domain, attributes)));
};

/** A marginal of a full table (row-major in the tree's order), in the order of the attributes. */
export const denseMarginal = (domain: Domain, table: Float64Array, attributes: readonly string[]): Float64Array => {
  const sums = new Float64Array(cellsOf(domain, attributes));
  sumInto(denseWalk(domain, attributes), table, sums);
  return sums;
};

/** The normalised full table of some log factors, and log Z. */
export const denseTable = (
  domain: Domain,
  factors: readonly { readonly attributes: readonly string[]; readonly potential: Float64Array }[],
): { table: Float64Array; logZ: number } => {
  const table = new Float64Array(cellsOf(domain, attributeOrder(domain)));
  for (const { attributes, potential } of factors) addFrom(denseWalk(domain, attributes), table, potential);
  const most = table.reduce((a, b) => Math.max(a, b), -Infinity);
  const weights = table.map((value) => Math.exp(value - most));
  const z = weights.reduce((sum, value) => sum + value, 0);
  return { table: weights.map((value) => value / z), logZ: Math.log(z) + most };
};

/** The marginal oracle by definition: builds the table of the whole domain. For small domains, and slow. */
export const denseOracle = async (domain: Domain, cliques: readonly (readonly string[])[]): Promise<MarginalOracle> => {
  const engine = await createEngine();
  const order = attributeOrder(domain);
  let length = 0;
  const factors = cliques.map((clique): OracleFactor => {
    const attributes = order.filter((name) => clique.includes(name));
    const cells = cellsOf(domain, attributes);
    length += cells;
    return { attributes, cells, offset: length - cells };
  });
  return {
    tree: junctionTree(domain, cliques),
    exact: true,
    engine,
    factors,
    length,
    vector: () => {
      const region = engine.arena.f64(length);
      region.view.fill(0);
      return region;
    },
    run: ({ view }, marginals) => {
      const { table, logZ } = denseTable(
        domain,
        factors.map(({ attributes, offset, cells }) => ({ attributes, potential: view.slice(offset, offset + cells) })),
      );
      for (const { attributes, offset } of factors)
        marginals.view.set(denseMarginal(domain, table, attributes), offset);
      return logZ;
    },
    beliefs: async () => undefined,
    close: () => {},
  };
};
