import { cellsOf, type Domain } from '../../domain/domain.js';
import { cellsBeyondTree } from '../../estimate/graphical/prior/cliques.js';
import { type OracleWork, oracleWork } from '../../model/graphical/oracle/oracle.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import { mostPairCells } from '../../query/workload/pairs-or-one-ways.js';
import { seeded } from '../../random/seeded.js';
import { shuffle } from '../../random/shuffle.js';
import type { WeightedMarginal } from '../adaptive/candidates.js';

/** The tree of some rounds, and what a run of the oracle on it goes over. */
export interface ForeseenTree {
  readonly rounds: number;
  readonly cells: number;
  readonly work: OracleWork;
}

export interface ForeseeOptions {
  /** Marginals that are selected in all. */
  readonly marginals: number;
  /** Marginals that are measured before the model is fitted anew. */
  readonly together: number;
  /** Bytes that the tree may take at the end; less before, in proportion to the budget. */
  readonly modelBytes: number;
  /** Cells of a marginal from which on its noise drowns what it could teach. */
  readonly mostCells: number;
  /** Whether the model starts from one of a public table, whose factors are in every tree. */
  readonly hasPrior: boolean;
}

/** Trees that are looked at on the way. */
const looks = 12;

/** Pairs in a row that do not fit a prior before no more are tried. */
const mostMisses = 20;

/** Pairs that a model of a public table would join if they were taken by chance, within its limits: which they are, the table says. */
const foreseenPrior = (domain: Domain, bytes: number): (readonly string[])[] => {
  const names = domain.attributes.map(({ name }) => name);
  const pairs = shuffle(
    names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b])),
    seeded(2),
  );
  const most = Math.min(cellsBeyondTree(names.length), bytes / 8);
  const held: (readonly string[])[] = [];
  let misses = 0;
  for (const pair of pairs) {
    if (misses === mostMisses) break;
    const tree = junctionTree(domain, [...held, pair]);
    const fits =
      treeSize(tree).cells <= most &&
      tree.cliques.every(({ attributes }) => cellsOf(domain, attributes) <= mostPairCells);
    misses = fits ? 0 : misses + 1;
    if (fits) held.push(pair);
  }
  return held;
};

/**
 * Trees that the rounds of AIM would come to if marginals were selected by chance among those that their noise does not drown: which ones
 * are selected is private, and what their number, the budget and the room for the tree allow is not. Any seed would do.
 */
export const foreseenTrees = (
  domain: Domain,
  candidates: readonly WeightedMarginal[],
  { marginals, together, modelBytes, mostCells, hasPrior }: ForeseeOptions,
): ForeseenTree[] => {
  const several = candidates.map(({ query }) => query.attributes).filter(({ length }) => length > 1);
  const small = several.filter((attributes) => cellsOf(domain, attributes) <= mostCells);
  const queue = shuffle(small.slice(), seeded(1));
  const single = domain.attributes.map(({ name }) => [name]);
  const trees: ForeseenTree[] = [];
  let held: (readonly string[])[] = hasPrior ? foreseenPrior(domain, modelBytes / looks) : [];
  for (let look = 1; look <= looks; look++) {
    const count = Math.round((look * marginals) / looks) - Math.round(((look - 1) * marginals) / looks);
    let more = queue.splice(0, count);
    let tree = junctionTree(domain, [...held, ...more]);
    // What does not fit is not selected: others are, and those that fit best are inside cliques already.
    while (more.length > 0 && treeSize(tree).bytes > (modelBytes * look) / looks) {
      more = more.slice(0, more.length >> 1);
      tree = junctionTree(domain, [...held, ...more]);
    }
    held = [...held, ...more];
    if (count > 0 || trees.length === 0)
      trees.push({
        rounds: count / together,
        cells: treeSize(tree).cells,
        work: oracleWork(domain, [...single, ...held], { memory: 2 * modelBytes + 1e9 }),
      });
  }
  return trees;
};
