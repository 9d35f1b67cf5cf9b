import { cellsOf, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { bytesText, limits } from '../../domain/limits.js';
import { listed } from '../../domain/listed.js';
import type { LogFactor } from '../../model/graphical/calibrate.js';
import { type GraphicalModel, graphicalModel } from '../../model/graphical/graphical-model.js';
import { type JunctionTree, junctionTree, treeSize } from '../../model/graphical/tree/junction-tree.js';
import type { ContainerArray } from './binary-container.js';
import { cliqueFinder } from './clique-finder.js';
import { badModel, type ModelCodec } from './model-codec.js';

/**
 * The log potentials of all factors, one after the other in `potentials`. Attributes are numbers in the schema's order: those of factor f
 * are `attributes` from `starts[f]` up to `starts[f + 1]`. So are those of the tree's cliques, in `cliques` and `cliqueStarts`: the
 * cliques of the measurements need not determine the tree that they were fitted on.
 */
export const graphicalCodec: ModelCodec<GraphicalModel> = {
  write: ({ domain, total, approximate, factors, tree }) => {
    const number = new Map(domain.attributes.map(({ name }, index) => [name, index]));
    const lists = (all: readonly { readonly attributes: readonly string[] }[]) => ({
      numbers: Uint32Array.from(all.flatMap(({ attributes }) => attributes.map((name) => number.get(name)!))),
      starts: all.reduce(
        (starts, { attributes }, i) => {
          starts[i + 1] = starts[i] + attributes.length;
          return starts;
        },
        new Uint32Array(all.length + 1),
      ),
    });
    const own = lists(factors);
    const cliques = lists(tree.cliques);
    const potentials = new Float64Array(factors.reduce((cells, { potential }) => cells + potential.length, 0));
    let at = 0;
    for (const { potential } of factors) {
      potentials.set(potential, at);
      at += potential.length;
    }
    return {
      meta: { total, approximate },
      arrays: {
        cliques: cliques.numbers,
        cliqueStarts: cliques.starts,
        attributes: own.numbers,
        starts: own.starts,
        potentials,
      },
    };
  },
  read: ({ meta, arrays }, domain, name) => {
    const { total, approximate } = meta;
    if (typeof total !== 'number' || !(total >= 0 && total < Infinity)) throw badModel(name, 'no total');
    if (typeof approximate !== 'boolean') throw badModel(name, 'no word on whether it is approximate');
    const { potentials } = arrays;
    if (!(potentials instanceof Float64Array) || Object.keys(arrays).length !== 5)
      throw badModel(name, 'no potentials or arrays nobody knows');
    const cliques = listsOf(arrays.cliques, arrays.cliqueStarts, domain, name);
    const tree = treeOf(domain, cliques, name);
    const lists = listsOf(arrays.attributes, arrays.starts, domain, name);
    if (lists.length > limits.factors || new Set(lists.map((list) => JSON.stringify(list))).size < lists.length)
      throw badModel(name, `${lists.length} factors, where at most ${limits.factors} different ones can be`);
    const within = cliqueFinder();
    for (const clique of tree.cliques) within.add(clique.attributes);
    let at = 0;
    const factors = lists.map((attributes): LogFactor => {
      if (!within.holds(attributes)) throw badModel(name, 'a factor outside the tree');
      const ranks = attributes.map((attribute) => tree.order.indexOf(attribute));
      if (ranks.some((rank, i) => i > 0 && rank <= ranks[i - 1])) throw badModel(name, 'a factor out of order');
      const cells = cellsOf(domain, attributes);
      if (at + cells > potentials.length) throw badModel(name, 'too few potentials');
      const potential = potentials.slice(at, at + cells);
      at += cells;
      if (potential.some((value) => Number.isNaN(value) || value === Infinity))
        throw badModel(name, 'a potential that is no number below infinity');
      return { attributes, potential };
    });
    if (at !== potentials.length) throw badModel(name, 'too many potentials');
    try {
      return graphicalModel(tree, factors, total, { approximate });
    } catch (error) {
      if (error instanceof InputError) throw badModel(name, 'factors that allow no record');
      throw error;
    }
  },
};

/** Lists of distinct attributes from their numbers and where each list starts. */
const listsOf = (
  numbers: ContainerArray | undefined,
  starts: ContainerArray | undefined,
  domain: Domain,
  name: string,
): string[][] => {
  if (
    !(numbers instanceof Uint32Array && starts instanceof Uint32Array) ||
    starts.length === 0 ||
    starts[0] !== 0 ||
    starts[starts.length - 1] !== numbers.length ||
    starts.some((start, i) => i > 0 && start < starts[i - 1]) ||
    numbers.some((attribute) => attribute >= domain.attributes.length)
  )
    throw badModel(name, 'attributes that do not fit together');
  return Array.from({ length: starts.length - 1 }, (_, list) => {
    const attributes = Array.from(numbers.subarray(starts[list], starts[list + 1]), (i) => domain.attributes[i].name);
    if (new Set(attributes).size < attributes.length) throw badModel(name, 'an attribute twice in a factor');
    return attributes;
  });
};

/** The tree of the kept cliques: they are those of a chordal graph, so they come out again. */
const treeOf = (domain: Domain, cliques: readonly (readonly string[])[], name: string): JunctionTree => {
  // Triangulating takes long where the graph is large and no tree, so that is seen to before.
  if (cliques.length > Math.max(1, domain.attributes.length)) throw badModel(name, 'more cliques than attributes');
  const widest = cliques.reduce((most, { length }) => Math.max(most, length), 0);
  if (widest > mostMembers) throw badModel(name, `a clique of ${widest} attributes`);
  checkOrder(cliques, name);
  const tree = junctionTree(domain, cliques);
  const { bytes, largest } = treeSize(tree);
  // The potentials may be few where the cliques are large, so the file's own size is no bound.
  if (!(bytes <= limits.modelBytes))
    throw new InputError(
      `${name}: its tables must fit in ${bytesText(limits.modelBytes)}, got a need of ${bytesText(bytes)} ` +
        `(${largest.cells} cells of ${listed(largest.attributes)}); such a model is none that surmise wrote`,
    );
  return tree;
};

/** Attributes of a clique: those of two cells or more are at most 26 where its table fits. */
const mostMembers = 128;

/** Parents come before children in a tree: what a clique shares with those before it lies in one of them. */
const checkOrder = (cliques: readonly (readonly string[])[], name: string): void => {
  const before = cliqueFinder();
  for (const clique of cliques) {
    if (!before.holds(clique.filter(before.has))) throw badModel(name, 'cliques that form no tree');
    before.add(clique);
  }
};
