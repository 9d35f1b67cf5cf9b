import { cellsOf, type Domain } from '../../../domain/domain.js';
import { InputError } from '../../../domain/input-error.js';
import { arenaLimit } from '../../../kernel/arena.js';
import { junctionTree, treeSize } from '../tree/junction-tree.js';
import { openApproximate } from './approximate/approximate-oracle.js';
import { planApproximate } from './approximate/approximate-plan.js';
import { openExact } from './exact/exact-oracle.js';
import { planExact, stepsOf } from './exact/exact-plan.js';
import type { MarginalOracle, OracleFactor, OracleOptions } from './marginal-oracle.js';
import { factorSteps } from './oracle-plan.js';

export type { MarginalOracle, OracleFactor, OracleOptions };

const size = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toPrecision(3)} GB` : `${(bytes / 1e6).toPrecision(3)} MB`;

/** How the given cliques would be held, or a refusal. */
const planned = (domain: Domain, cliques: readonly (readonly string[])[], options: OracleOptions) => {
  const memory = Math.min(options.memory ?? 2e9, arenaLimit);
  const tree = junctionTree(domain, cliques);
  const place = new Map(tree.order.map((name, index) => [name, index]));
  const sets = cliques.map((clique) => [...new Set(clique)].map((name) => place.get(name)!).sort((a, b) => a - b));
  const { bytes, largest } = treeSize(tree);
  const plan = bytes <= memory ? planExact(tree, sets) : undefined;
  if (plan && plan.bytes <= memory) return { tree, sets, plan };
  const pieces = options.approximate ? planApproximate(tree, sets) : undefined;
  if (pieces && pieces.bytes <= memory) return { tree, sets, pieces };
  const next = options.approximate ? '' : ', or ask for an approximation';
  throw new InputError(
    `graphical model: must fit in ${size(memory)}, got a tree of ${size(plan?.bytes ?? bytes)} whose largest clique is ` +
      `${largest.attributes.join(' x ')} (${largest.cells} cells); measure fewer or smaller marginals, allow more memory${next}`,
  );
};

/** What one run of an oracle goes over. */
export interface OracleWork {
  /** Cells walked by all steps of the plan. */
  readonly walked: number;
  /** Cells of all factors: the length of its vectors. */
  readonly length: number;
  /** Steps of the plan. */
  readonly steps: number;
  /** Bytes of tables, messages and two vectors. */
  readonly bytes: number;
}

/** Sweeps over all regions that an approximate run makes, about. */
const sweeps = 40;

/** What a run of such an oracle would go over, from its plan: nothing is allocated. Refuses as `openOracle` does. */
export const oracleWork = (
  domain: Domain,
  cliques: readonly (readonly string[])[],
  options: OracleOptions = {},
): OracleWork => {
  const { plan, pieces } = planned(domain, cliques, options);
  const length = cliques.reduce((sum, clique) => sum + cellsOf(domain, [...new Set(clique)]), 0);
  if (plan === undefined)
    return { walked: (sweeps * pieces.bytes) / 8, length, steps: sweeps * cliques.length, bytes: pieces.bytes };
  const steps = [...plan.cliques.flatMap(stepsOf), ...factorSteps(plan)];
  return { walked: steps.reduce((sum, { cells }) => sum + cells, 0), length, steps: steps.length, bytes: plan.bytes };
};

/**
 * An oracle for the given cliques: the distinct attribute sets of some measurements. Attributes may come in any order, one clique
 * may hold another, and the empty one has one cell. Everything that runs share is made here. Refuses before any table is allocated
 * when the tree needs more than `memory` bytes, or approximates when allowed to.
 */
export const openOracle = async (
  domain: Domain,
  cliques: readonly (readonly string[])[],
  options: OracleOptions = {},
): Promise<MarginalOracle> => {
  const { tree, sets, plan, pieces } = planned(domain, cliques, options);
  let offset = 0;
  const factors = sets.map((set): OracleFactor => {
    const attributes = set.map((index) => tree.order[index]);
    const factor = { attributes, cells: cellsOf(domain, attributes), offset };
    offset += factor.cells;
    return factor;
  });
  return plan ? openExact(tree, factors, plan, options) : openApproximate(tree, factors, pieces, options);
};
