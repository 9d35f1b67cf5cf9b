import { sizesOf } from '../../../../domain/domain.js';
import type { JunctionTree } from '../../tree/junction-tree.js';
import { type OraclePlan, planBytes, scratchTable } from '../oracle-plan.js';
import { finder, planFactors } from '../plan-factors.js';
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

/** A plan of exact runs on a tree. */
export interface ExactPlan extends OraclePlan {
  /** Parents first. */
  readonly cliques: readonly CliquePlan[];
  /** Sizes of all attributes, by their places. */
  readonly sizes: readonly number[];
}

/** Plans runs on a tree for factors given as places in its order, ascending. No memory is allocated. */
export const planExact = (tree: JunctionTree, factorSets: readonly (readonly number[])[]): ExactPlan => {
  const sizes = sizesOf(tree.domain, tree.order);
  const place = new Map(tree.order.map((name, index) => [name, index]));
  const wider = (list: readonly number[]): number[] => list.filter((attribute) => sizes[attribute] > 1);
  const placesOf = (names: readonly string[]): number[] => wider(names.map((name) => place.get(name)!));
  const unit = table([], sizes);
  const kept: Table[] = [unit];
  const { factors, inward, passing: between } = planFactors(factorSets.map(wider), unit, sizes);
  const passing = [...between];

  const sets = tree.cliques.map(({ attributes }) => table(placesOf(attributes), sizes));
  const cliqueOf = finder(sets, sizes.length);
  const inputs: number[][] = sets.map(() => []);
  for (const [i, factor] of factors.entries()) if (!factor.spread) inputs[cliqueOf(factor.table)].push(i);
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
    const [message, update] = [messages[index], updates[index]];
    const below = children[index].map((child) => ({ message: messages[child], update: updates[child] }));
    const own = inputs[index].find((i) => factors[i].table.attributes.length === set.attributes.length) ?? -1;
    const others = inputs[index].filter((i) => i !== own).map((i) => factors[i].table);
    const work = own < 0 ? { target: set, own: false } : { target: factors[own].table, own: true };
    const { made, ...steps } = planClique({ ...work, others, below, message, update, unit }, sizes);
    passing.push(...made);
    kept.push(message, update);
    if (own < 0) kept.push(set);
    cliques.push({
      ...steps,
      table: work.target,
      own,
      factors: inputs[index],
      parent: tree.cliques[index].parent < 0 ? -1 : number[tree.cliques[index].parent],
      children: children[index].map((child) => number[child]),
      message,
      update,
    });
  }
  const spreads = factors.flatMap(({ spread }) => spread ?? []);
  const peaks = scratchTable([...spreads, ...cliques.flatMap(stepsOf)].map(({ sums }) => sums));
  kept.push(peaks);
  const bytes = planBytes({ factors, kept, passing });
  return { factors, inward, cliques, sizes, unit, peaks, kept, passing, free, bytes };
};

/** What flows into and out of a clique. */
interface CliqueFlow {
  /** Where the clique works, and whether that is a factor of its own. */
  readonly target: Table;
  readonly own: boolean;
  /** Maximal factors that are smaller than the clique. */
  readonly others: readonly Table[];
  /** Messages and updates of its children, and its own. */
  readonly below: readonly { readonly message: Table; readonly update: Table }[];
  readonly message: Table;
  readonly update: Table;
  readonly unit: Table;
}

/** The steps of a clique, and the tables that they make on the way. */
const planClique = (
  { target, own, others, below, message, update, unit }: CliqueFlow,
  sizes: readonly number[],
): Pick<CliquePlan, 'collect' | 'wide' | 'narrow'> & { readonly made: readonly (readonly Table[])[] } => {
  const inflow = [...others, ...below.map((child) => child.message)];
  const { groups, steps, made } = planProducts(inflow, own ? 1 : 2, target.cells / 2, sizes);
  const [first = unit, second = unit, ...more] = own ? [target, ...groups] : groups;
  const collect = [...steps];
  if (own && groups.length === 0) collect.push(tableStep({ a: target, b: unit, sums: message }, sizes));
  else {
    const products = [{ a: first, b: second }, ...more.map((b) => ({ a: target, b }))];
    for (const [k, { a, b }] of products.entries())
      collect.push(tableStep({ a, b, target, sums: k === products.length - 1 ? message : undefined }, sizes));
  }
  const sums = planSums([...below.map((child) => child.update), ...others], target.cells, unit, sizes);
  const wide = sums.direct.map((each, k) => {
    if (!own) return tableStep({ a: target, b: update, sums: each }, sizes);
    return k === 0
      ? tableStep({ a: target, b: update, target, sums: each }, sizes)
      : tableStep({ a: target, b: unit, sums: each }, sizes);
  });
  if (own && wide.length === 0) wide.push(tableStep({ a: target, b: update, target }, sizes));
  return { collect, wide, narrow: sums.steps, made: [made, sums.made] };
};
