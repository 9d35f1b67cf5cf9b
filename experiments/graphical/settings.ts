import { cellsOf, type Domain } from '../../src/domain/domain.js';
import type { Table } from '../../src/domain/table.js';
import { junctionTree, treeSize } from '../../src/model/graphical/tree/junction-tree.js';
import { seeded } from '../../src/random/seeded.js';
import { shuffle } from '../../src/random/shuffle.js';
import { loadCodes } from '../data/load-codes.js';
import { loadMassachusetts } from '../data/load-massachusetts.js';

export const tableNames = ['titanic', 'adult', 'loans', 'stroke', 'acs-massachusetts'] as const;
export type TableName = (typeof tableNames)[number];

/** One of the four tables of the Private-PGM paper, or Massachusetts 2019 over the domain that 2018 teaches. */
export const loadTable = async (name: TableName, data: string): Promise<Table> =>
  name === 'acs-massachusetts' ? (await loadMassachusetts(data)).later : loadCodes(data, `pgm-four/${name}`);

/** Cells of a triple at most, and of all cliques of the junction tree together. */
const tripleCells = 20_000;
const treeCells = 300_000;

const allTriples = ({ attributes }: Domain): string[][] => {
  const names = attributes.map(({ name }) => name);
  return names.flatMap((a, i) => names.slice(i + 1).flatMap((b, j) => names.slice(i + j + 2).map((c) => [a, b, c])));
};

/**
 * Up to 15 random triples of attributes, drawn from the domain alone: as many as have a junction tree within the limit. They are
 * the workload; the graph that their pairs make is the same, so measuring pairs or triples needs the same tree.
 */
export const workloadTriples = (domain: Domain, count = 15, seed = 15): string[][] => {
  const triples: string[][] = [];
  const small = allTriples(domain).filter((triple) => cellsOf(domain, triple) <= tripleCells);
  for (const triple of shuffle(small, seeded(seed)).slice(0, 300)) {
    if (triples.length < count && treeSize(junctionTree(domain, [...triples, triple])).cells <= treeCells)
      triples.push(triple);
  }
  return triples;
};

/** What is measured: the pairs inside the triples, or the triples; and every attribute in none of them on its own. */
export const measuredSets = (domain: Domain, triples: readonly string[][], what: 'pairs' | 'triples'): string[][] => {
  const found = new Map<string, string[]>();
  for (const triple of triples)
    for (const set of what === 'triples' ? [triple] : [0, 1, 2].map((out) => triple.filter((_, i) => i !== out)))
      found.set([...set].sort().join('\n'), set);
  const covered = new Set(triples.flat());
  const alone = domain.attributes.filter(({ name }) => !covered.has(name)).map(({ name }) => [name]);
  return [...found.values(), ...alone];
};
