import { determiners } from '../../../domain/constraints/determiners.js';
import { declaredCells } from '../../../domain/declared-cells.js';
import { cellsOf, type Domain } from '../../../domain/domain.js';
import type { CodeColumn } from '../../../domain/table.js';
import { junctionTree, treeSize } from '../../../model/graphical/tree/junction-tree.js';
import { mostPairCells } from '../../../query/workload/pairs-or-one-ways.js';
import { type Information, mutualInformation } from '../../cliques/mutual-information.js';
import { zeroFactors } from '../zeros.js';

export interface PriorCliqueOptions {
  /** Cells of a clique at most; `mostPairCells` by default. */
  readonly cliqueCells?: number | undefined;
  /** Cells of all cliques together at most; by default 200,000, and less beyond 40 attributes for what joins more than a tree does. */
  readonly cells?: number | undefined;
  /** How much the attributes tell about each other, where that is known already; otherwise it costs a pass over the rows for each pair. */
  readonly information?: Information | undefined;
}

/** Dependences that add less than this, in nats a record, are left out. */
const least = 1e-4;
/** Cells of all cliques together unless told: of a tree, and with what is joined beyond it. */
const mostCells = 200_000;
/**
 * Every pair that is measured later closes a cycle in what a prior has joined, so a model from a large prior of many attributes outgrows its limit, and every
 * look at it is long, before a few rounds have measured anything: beyond so many attributes a prior has fewer cells.
 */
const manyAttributes = 40;
export const cellsBeyondTree = (attributes: number): number =>
  mostCells * Math.min(1, (manyAttributes / attributes) ** 2.5);
/** After so many pairs in a row that did not fit, no more are tried. */
const mostMisses = 200;

/**
 * Pairs of attributes whose junction tree stays small: first the spanning forest of most mutual information (Chow and Liu 1968),
 * which never needs a larger clique than its pairs or what constraints join, then further pairs in descending order as long as they fit. Cells at open ends are not
 * counted: public rows say nothing of them, and they must not crowd out what they do say.
 */
export const priorCliques = (
  whole: Domain,
  columns: readonly CodeColumn[],
  length: number,
  weights: Float64Array | undefined,
  { cliqueCells = mostPairCells, cells, information }: PriorCliqueOptions,
): string[][] => {
  const domain = declaredCells(whole);
  const children = new Set(determiners(whole).map(({ child }) => child));
  const names = domain.attributes.map(({ name }) => name);
  const { between } = information ?? mutualInformation({ domain: whole, columns, length }, names, weights, cliqueCells);
  const pairs = names
    .flatMap((a, i) =>
      names.slice(i + 1).map((b, j) => ({ pair: [a, b], ends: [i, i + 1 + j], gain: between[i][i + 1 + j] })),
    )
    .filter(({ pair, gain }) => gain > least && cellsOf(domain, pair) <= cliqueCells)
    // What another column determines goes with that one.
    .filter(({ pair }) => !pair.some((name) => children.has(name)))
    .sort((a, b) => b.gain - a.gain);

  const component = names.map((_, i) => i);
  const root = (i: number): number => (component[i] === i ? i : root(component[i]));
  // Every fit has what constraints join, so that whatever would close a cycle with it has to fit beside it.
  const taken = zeroFactors(whole)
    .map(({ attributes }) => [...attributes])
    .filter((attributes) => cellsOf(domain, attributes) <= cliqueCells);
  for (const [first, ...others] of taken)
    for (const other of others) component[root(names.indexOf(other))] = root(names.indexOf(first));
  const rest: string[][] = [];
  let held =
    domain.attributes.reduce((sum, { size }) => sum + size, 0) +
    taken.reduce((sum, attributes) => sum + cellsOf(domain, attributes), 0);
  for (const { pair, ends } of pairs) {
    const [a, b] = ends.map(root);
    const own = cellsOf(domain, pair);
    if (a !== b && held + own <= (cells ?? mostCells)) {
      component[a] = b;
      taken.push(pair);
      held += own;
    } else rest.push(pair);
  }
  // Beyond a tree a clique has three attributes and more: it should hold no more cells than the public rows can tell about.
  const largest = Math.min(cliqueCells, length);
  const most = cells ?? cellsBeyondTree(names.length);
  let misses = 0;
  for (const pair of rest) {
    const size = treeSize(junctionTree(domain, [...taken, pair]));
    const fits = size.cells <= most && size.largest.cells <= Math.max(largest, treeLargest(domain, taken));
    if (fits) taken.push(pair);
    misses = fits ? 0 : misses + 1;
    if (misses > mostMisses) break;
  }
  return taken;
};

const treeLargest = (domain: Domain, cliques: readonly string[][]): number =>
  Math.max(0, ...cliques.map((clique) => cellsOf(domain, clique)));
