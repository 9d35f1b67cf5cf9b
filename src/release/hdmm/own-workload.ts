import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { bytesText, limits } from '../../domain/limits.js';
import { junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import { attributesOf } from '../../query/answer.js';
import { marginal } from '../../query/marginal.js';
import { pairsOrOneWays } from '../../query/workload/pairs-or-one-ways.js';
import { type Workload, workloadOf } from '../../query/workload/workload.js';
import type { Asked } from '../asked-workload.js';
import { treeWork } from './hdmm.js';
import type { HdmmSettings } from './settings.js';

/** Bytes of the tables of a graphical model of pairs that nobody asked for, and pairs that are looked at. */
const ownBytes = 2 ** 25;
const mostPairs = 400;

/**
 * What a release by HDMM answers well: what was asked, if a bundle can hold a graphical model of it; or else pairs of attributes, for a
 * graphical model as many as its junction tree stays small with, those of few cells first, and attributes in no such pair alone.
 */
export const hdmmWorkload = ({ domain, workload }: Asked, { estimator, maxCells }: HdmmSettings): Workload => {
  if (estimator === 'lls') return workload ?? pairsOrOneWays(domain, maxCells);
  if (workload === undefined) return pairsInTree(domain, maxCells);
  treeWork(domain, workload, {});
  const { bytes } = treeSize(junctionTree(domain, cliquesOf(workload)));
  if (bytes > limits.modelBytes)
    throw new InputError(
      `workload: its graphical model must fit in ${bytesText(limits.modelBytes)}, got ${bytesText(bytes)}; ask for fewer or smaller queries`,
    );
  return workload;
};

const cliquesOf = ({ queries }: Workload): string[][] => queries.map(({ query }) => attributesOf(query));

const pairsInTree = (domain: Domain, maxCells: number): Workload => {
  const all = cliquesOf(pairsOrOneWays(domain, maxCells));
  const singles = domain.attributes.map(({ name }) => [name]);
  const pairs = all
    .filter(({ length }) => length > 1)
    .sort((a, b) => cellsOf(domain, a) - cellsOf(domain, b))
    .slice(0, mostPairs);
  const paired = new Set(pairs.flat());
  // Attributes in no pair are tables of their own whatever is kept: a tree of hundreds of them need not be made for each pair.
  const within = { ...domain, attributes: domain.attributes.filter(({ name }) => paired.has(name)) };
  const others = domain.attributes.reduce((sum, { name, size }) => sum + (paired.has(name) ? 0 : 8 * size), 0);
  const kept: string[][] = [];
  for (const pair of pairs)
    if (others + treeSize(junctionTree(within, [...kept, pair])).bytes <= ownBytes) kept.push(pair);
  const alone = singles.filter(([name]) => !kept.some((pair) => pair.includes(name)));
  return workloadOf([...kept, ...alone].map((attributes) => marginal(...attributes)));
};
