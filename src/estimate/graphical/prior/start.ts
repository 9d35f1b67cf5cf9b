import type { Domain } from '../../../domain/domain.js';
import type { Region } from '../../../kernel/arena.js';
import type { MarginalOracle } from '../../../model/graphical/oracle/oracle.js';
import { junctionTree, treeSize } from '../../../model/graphical/tree/junction-tree.js';
import { fitPotentials } from '../method/fit-potentials.js';
import { cliqueKey, distinctCliques } from '../targets.js';
import { dependence } from './dependence.js';
import type { GraphicalPrior } from './prior.js';
import { startPotentials } from './start-potentials.js';

/** A prior may make the junction tree of the measurements this many times larger, ... */
const mostGrowth = 4;
/** ... or as large as this many cells, whichever is more. */
const alwaysCells = 1_000_000;

/**
 * The cliques of a fit from a prior: the measured ones, and those of the prior, the most informative first, that do not make the
 * junction tree too large; of a clique that would, the pairs are tried. A tree of `held` cells is not too large.
 */
export const cliquesWithPrior = (
  domain: Domain,
  measured: readonly (readonly string[])[],
  { cliques, model }: GraphicalPrior,
  memory: number,
  held = 0,
): string[][] => {
  const cellsOf = (list: readonly (readonly string[])[]): number => treeSize(junctionTree(domain, list)).cells;
  const limit = Math.min(memory / 32, Math.max(alwaysCells, mostGrowth * cellsOf(measured), held));
  const all = distinctCliques([...measured, ...cliques]);
  if (cellsOf(all) <= limit) return all;
  const ranked = (list: readonly (readonly string[])[]): readonly string[][] => {
    const own = distinctCliques(list);
    const tables = model.marginals(own);
    return own
      .map((attributes, i) => ({ attributes, gain: dependence(domain, { attributes, shares: tables[i] }) }))
      .sort((a, b) => b.gain - a.gain)
      .map(({ attributes }) => attributes);
  };
  const pairs = cliques.flatMap((clique) => clique.flatMap((a, i) => clique.slice(i + 1).map((b) => [a, b])));
  let taken = distinctCliques(measured);
  for (const clique of [...ranked(cliques), ...ranked(pairs)])
    if (!taken.some((other) => clique.every((name) => other.includes(name))) && cellsOf([...taken, clique]) <= limit)
      taken = [...taken, clique];
  return taken;
};

/** No marginal of the start is further than this from the prior's. */
const closeness = 1e-6;

/**
 * Log potentials to start at so that the fit starts at the prior: its own ones where the fit has all of its cliques, otherwise those
 * of the model nearest to it (in the Kullback-Leibler divergence) that the fit's cliques can express.
 */
export const priorStart = async (
  oracle: MarginalOracle,
  { cliques, model }: GraphicalPrior,
): Promise<Region<Float64Array>> => {
  const start = startPotentials(oracle, model.factors);
  const known = new Set(oracle.factors.map(({ attributes }) => cliqueKey(attributes)));
  if (cliques.every((clique) => known.has(cliqueKey(clique)))) return start;
  const target = oracle.vector();
  const tables = model.marginals(oracle.factors.map(({ attributes }) => attributes));
  oracle.factors.forEach(({ offset }, i) => {
    target.view.set(tables[i], offset);
  });
  const { potentials } = await fitPotentials(oracle, target, start, closeness, 300);
  const found = oracle.vector();
  found.view.set(potentials);
  return found;
};
