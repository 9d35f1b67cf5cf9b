import type { JunctionTree } from '../../tree/junction-tree.js';
import { type FactorPlan, finder, planFactors } from '../plan-factors.js';
import { type Table, type TableStep, table, tableStep } from '../table-step.js';
import { planProducts } from './plan-products.js';
import { planSums } from './plan-sums.js';

/** What a clique of the tree does in a run. */
export interface CliquePlan {
  readonly table: Table;
  /** The factor of the same attributes, -1 where there is none: the clique then works in place, and its marginal is an output. */
  readonly own: number;
  /** Maximal factors that the clique multiplies, as indices. */
  readonly factors: readonly number[];
  /** Index of the parent's plan, -1 for a root. */
  readonly parent: number;
  readonly children: readonly number[];
  /** Makes the product of factors and the children's messages; the last step makes the message as well. */
  readonly collect: readonly TableStep[];
  /** To the parent, over the separator; a root has one cell: its sum. */
  readonly message: Table;
  /** The separator's marginal in the parent; then what the clique is to be multiplied by. */
  readonly update: Table;
  /** Passes over the clique times its update; the first one stores it where the clique is an output. */
  readonly wide: readonly TableStep[];
  /** Smaller sums. */
  readonly narrow: readonly TableStep[];
}

/** All steps of a clique. */
export const stepsOf = ({ collect, wide, narrow }: CliquePlan): TableStep[] => [...collect, ...wide, ...narrow];

/** Everything that a run does, made once. Attributes of one cell are left out: they change nothing. */
export interface ExactPlan {
  /** In the order of the factors. */
  readonly factors: readonly FactorPlan[];
  /** Indices of `factors`: each before the one that holds it. */
  readonly inward: readonly number[];
  /** Parents first. */
  readonly cliques: readonly CliquePlan[];
  /** Sizes of all attributes, by their places. */
  readonly sizes: readonly number[];
  /** One cell: 1, or 0 in log space. */
  readonly unit: Table;
  /** Scratch for log space, as large as the largest table of sums. */
  readonly peaks: Table;
  /** Tables that need memory of their own. */
  readonly kept: readonly Table[];
  /** Tables that are done with when a clique or factor is; each group may use the same memory. */
  readonly passing: readonly (readonly Table[])[];
  /** log of the cells of attributes outside all factors. */
  readonly free: number;
  /** Bytes of tables, messages and two vectors. */
  readonly bytes: number;
}

/** Plans runs on a tree for factors given as places in its order, ascending. No memory is allocated. */
export const planExact = (tree: JunctionTree, factorSets: readonly (readonly number[])[]): ExactPlan => {
  const size = new Map(tree.domain.attributes.map((attribute) => [attribute.name, attribute.size]));
  const sizes = tree.order.map((name) => size.get(name)!);
  const place = new Map(tree.order.map((name, index) => [name, index]));
  const wider = (list: readonly number[]): number[] => list.filter((attribute) => sizes[attribute] > 1);
  const placesOf = (names: readonly string[]): number[] => wider(names.map((name) => place.get(name)!));
  const unit = table([], sizes);
  const kept: Table[] = [unit];

  const { factors, inward, passing: between } = planFactors(factorSets.map(wider), unit, sizes);
  const tables = factors.map((factor) => factor.table);
  const passing = [...between];

  const sets = tree.cliques.map(({ attributes }) => table(placesOf(attributes), sizes));
  const cliqueOf = finder(sets, sizes.length);
  const inputs: Table[][] = sets.map(() => []);
  for (const [i, each] of tables.entries()) if (!factors[i].spread) inputs[cliqueOf(each)].push(each);
  const children: number[][] = sets.map(() => []);
  for (const [index, { parent }] of tree.cliques.entries()) if (parent >= 0) children[parent].push(index);
  const messages = tree.cliques.map(({ separator }) => table(placesOf(separator), sizes));
  const updates = messages.map(({ attributes }) => table(attributes, sizes));

  // An attribute in no factor is a clique on its own into which nothing flows.
  const used = tree.cliques.map(
    ({ parent }, index) => parent >= 0 || children[index].length > 0 || inputs[index].length > 0,
  );
  const free = sets.reduce((sum, { cells }, index) => (used[index] ? sum : sum + Math.log(cells)), 0);
  const number = sets.map(() => -1);
  let count = 0;
  for (const [index, use] of used.entries()) if (use) number[index] = count++;

  const cliques: CliquePlan[] = [];
  for (const [index, set] of sets.entries()) {
    if (!used[index]) continue;
    const same = inputs[index].find(({ attributes }) => attributes.length === set.attributes.length);
    const target = same ?? set;
    const others = [
      ...inputs[index].filter((each) => each !== same),
      ...children[index].map((child) => messages[child]),
    ];
    const { groups, steps, made } = planProducts(others, same ? 1 : 2, target.cells / 2, sizes);
    const [first = unit, second = unit, ...more] = same ? [same, ...groups] : groups;
    const message = messages[index];
    const collect = [...steps];
    if (same && groups.length === 0) collect.push(tableStep({ a: same, b: unit, sums: message }, sizes));
    else {
      const products = [{ a: first, b: second }, ...more.map((b) => ({ a: target, b }))];
      for (const [k, { a, b }] of products.entries())
        collect.push(tableStep({ a, b, target, sums: k === products.length - 1 ? message : undefined }, sizes));
    }
    const targets = [
      ...children[index].map((child) => updates[child]),
      ...inputs[index].filter((each) => each !== same),
    ];
    const sums = planSums(targets, target.cells, unit, sizes);
    const update = updates[index];
    const wide = sums.direct.map((each, k) => {
      if (!same) return tableStep({ a: target, b: update, sums: each }, sizes);
      return k === 0
        ? tableStep({ a: target, b: update, target, sums: each }, sizes)
        : tableStep({ a: target, b: unit, sums: each }, sizes);
    });
    if (same && wide.length === 0) wide.push(tableStep({ a: target, b: update, target }, sizes));
    passing.push(made, sums.made);
    kept.push(message, update);
    if (!same) kept.push(target);
    cliques.push({
      table: target,
      own: same ? tables.indexOf(same) : -1,
      factors: inputs[index].map((each) => tables.indexOf(each)),
      parent: tree.cliques[index].parent < 0 ? -1 : number[tree.cliques[index].parent],
      children: children[index].map((child) => number[child]),
      collect,
      message,
      update,
      wide,
      narrow: sums.steps,
    });
  }

  const bytesOf = (list: readonly Table[]): number => list.reduce((bytes, { cells }) => bytes + 8 * cells + 16, 0);
  const length = tables.reduce((cells, each) => cells + each.cells, 0);
  const sums = [...factors.map(({ spread }) => spread), ...cliques.flatMap(stepsOf)].map(
    (step) => step?.sums?.cells ?? 0,
  );
  // A table of no attribute in particular.
  const peaks: Table = { attributes: [], cells: sums.reduce((most, cells) => Math.max(most, cells), 1), address: 0 };
  kept.push(peaks);
  const bytes = bytesOf(kept) + passing.map(bytesOf).reduce((most, each) => Math.max(most, each), 0) + 16 * length;
  return { factors, inward, cliques, sizes, unit, peaks, kept, passing, free, bytes };
};
