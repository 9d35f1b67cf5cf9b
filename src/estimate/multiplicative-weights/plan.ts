import { indexOf, sizesOf } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import type { Support } from '../../model/support/support.js';
import { type Draft, draftSets, pick } from './draft.js';
import { numberRows } from './groups.js';
import { cheapTree } from './tree.js';

/*
 * Many marginals of the same rows, evaluated together. The rows of a support differ, but not in the few attributes that one
 * marginal looks at: projected to those, most of them coincide. So rows are first summed by the tuples of several attributes
 * that many marginals share, these sums by the tuples of fewer, and last by the cells of the marginals. On 85,000 census rows
 * with 4,096 three-way marginals this takes a fourteenth of the additions of going from the rows to each marginal.
 */

/** Distinct tuples, sums of whose weights are made from those of the parent (the rows at the top). */
export interface PlanNode {
  /** Number of distinct tuples. */
  readonly count: number;
  /** The tuple of each of the parent's. */
  readonly map: Uint32Array;
  readonly children: readonly PlanNode[];
  readonly leaves: readonly PlanLeaf[];
}

/** A marginal made from the sums of its parent. */
export interface PlanLeaf {
  /** Its number in the list of marginals. */
  readonly marginal: number;
  /** For each of the parent's tuples, the position of its cell among the marginal's `held` cells. */
  readonly map: Uint32Array;
}

/** How to evaluate a list of marginals of a support's rows; depends on no weight, so it serves many runs. */
export interface MarginalPlan {
  readonly support: Support;
  readonly marginals: readonly (readonly string[])[];
  /** Number of cells of each marginal. */
  readonly cells: readonly number[];
  /** The cells of each marginal that hold a row, ascending; all others are 0 whatever the weights. */
  readonly held: readonly Uint32Array[];
  /** The rows themselves: its map is empty. */
  readonly root: PlanNode;
  /** Additions of one evaluation of everything. */
  readonly cost: number;
}

/** The most cells that all marginals may have together: 1 GB of sums. */
const mostCells = 2 ** 27;

export const planMarginals = (support: Support, marginals: readonly (readonly string[])[]): MarginalPlan => {
  const { domain, columns, length } = support;
  const shapes = marginals.map((attributes) => sizesOf(domain, attributes));
  const cells = shapes.map((shape) => shape.reduce((product, size) => product * size, 1));
  const all = cells.reduce((sum, count) => sum + count, 0);
  if (all > mostCells)
    throw new InputError(`workload: may have ${mostCells} cells in all, got ${all}; use fewer or coarser marginals`);
  const positions = marginals.map((attributes) => attributes.map((name) => indexOf(domain, name)));
  const coded = columns.map((codes, a) => ({ codes, size: domain.attributes[a].size }));
  const { drafts, sources } = draftSets(coded, length, positions);
  const tree = cheapTree(
    drafts.map(({ attributes, from, first }) => ({ attributes, from, size: first.length })),
    positions.map((attributes, marginal) => ({ attributes, from: sources[marginal] })),
  );

  /** The tuple of a draft for each tuple of another that holds it. */
  const mapFrom = (source: number, number: number): Uint32Array => {
    const [from, to] = [drafts[source], drafts[number]];
    if (to.from === source) return to.map;
    // Numbered together, the draft's own tuples come first and keep their numbers.
    const [own, others] = [to.first.length, from.first.length];
    const joined = new Uint32Array(own + others);
    joined.set(to.first);
    joined.set(from.first, own);
    const { ids } = numberRows(
      to.attributes.map((a) => ({ codes: pick(columns[a], joined), size: domain.attributes[a].size })),
      joined.length,
    );
    return ids.slice(own);
  };

  const held = new Array<Uint32Array>(marginals.length);
  const leafOf = (marginal: number, { first }: Draft): PlanLeaf => {
    const list = new Uint32Array(first.length);
    let stride = 1;
    for (let i = positions[marginal].length - 1; i >= 0; i--) {
      const codes = columns[positions[marginal][i]];
      for (let t = 0; t < list.length; t++) list[t] += codes[first[t]] * stride;
      stride *= shapes[marginal][i];
    }
    const { cells: own, places } = heldCells(list, cells[marginal]);
    held[marginal] = own;
    return { marginal, map: places };
  };

  const childrenOf = drafts.map((): number[] => []);
  for (const [number, parent] of tree.between.entries()) if (parent !== undefined) childrenOf[parent].push(number);
  const leavesOf = drafts.map((): number[] => []);
  for (const [marginal, parent] of tree.wanted.entries()) leavesOf[parent].push(marginal);
  const nodeOf = (number: number, from: number | undefined): PlanNode => ({
    count: drafts[number].first.length,
    map: from === undefined ? new Uint32Array() : mapFrom(from, number),
    children: childrenOf[number].map((child) => nodeOf(child, number)),
    leaves: leavesOf[number].map((marginal) => leafOf(marginal, drafts[number])),
  });
  return { support, marginals, cells, held, root: nodeOf(0, undefined), cost: tree.cost };
};

/** The cells that a list names, ascending, and the place of each entry's cell among them. */
const heldCells = (list: Uint32Array, cells: number): { cells: Uint32Array; places: Uint32Array } => {
  const place = new Uint32Array(cells);
  for (const cell of list) place[cell] = 1;
  let count = 0;
  for (let cell = 0; cell < cells; cell++) if (place[cell] === 1) place[cell] = count++;
  const own = new Uint32Array(count);
  const places = new Uint32Array(list.length);
  for (let i = 0; i < list.length; i++) {
    places[i] = place[list[i]];
    own[places[i]] = list[i];
  }
  return { cells: own, places };
};
