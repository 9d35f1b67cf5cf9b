import { planProducts } from './exact/plan-products.js';
import { includes, type Table, type TableStep, table, tableStep } from './table-step.js';

/** A factor of the oracle and how it takes part in a run. */
export interface FactorPlan {
  /** Its part of the marginals' vector, where the run also works. */
  readonly table: Table;
  /** Its potentials. */
  readonly potential: Table;
  /** Log space: adds up the potentials of the factors that this one holds, and last its own. */
  readonly gather: readonly TableStep[];
  /** Sums this factor's marginal out of the one that holds it; undefined for a maximal factor. */
  readonly spread: TableStep | undefined;
}

/** Factors, of which some hold others. */
export interface FactorsPlan {
  /** In the order given. */
  readonly factors: readonly FactorPlan[];
  /** Indices of `factors`: each before the one that holds it. */
  readonly inward: readonly number[];
  /** Tables that are done with when a factor is; each group may use the same memory. */
  readonly passing: readonly (readonly Table[])[];
}

/** The smallest of some sets of attributes that holds `set`, or -1; ties go to the first. */
export const finder = (sets: readonly Table[], width: number) => {
  const lists: number[][] = Array.from({ length: width }, () => []);
  for (const [index, { attributes }] of sets.entries()) for (const each of attributes) lists[each].push(index);
  const all = sets.map((_, index) => index);
  return ({ attributes }: Table, allow: (index: number) => boolean = () => true): number => {
    const near = attributes.reduce((short, each) => (lists[each].length < short.length ? lists[each] : short), all);
    let best = -1;
    for (const index of near)
      if (
        (best < 0 || sets[index].cells < sets[best].cells) &&
        allow(index) &&
        includes(sets[index].attributes, attributes)
      )
        best = index;
    return best;
  };
};

/**
 * Factors that lie in others are added to them in log space before a run, and their marginals are summed out of those of the others
 * after it: a run itself deals with maximal factors only. `unit` is the table of no attribute.
 */
export const planFactors = (
  factorSets: readonly (readonly number[])[],
  unit: Table,
  sizes: readonly number[],
): FactorsPlan => {
  const passing: (readonly Table[])[] = [];
  const tables = factorSets.map((set) => table(set, sizes));
  const potentials = tables.map(({ attributes }) => table(attributes, sizes));
  const holderOf = finder(tables, sizes.length);
  const holder = tables.map((each, i) =>
    holderOf(each, (j) => j !== i && (tables[j].attributes.length > each.attributes.length || j < i)),
  );
  const inward = tables
    .map((_, i) => i)
    .sort((i, j) => tables[i].attributes.length - tables[j].attributes.length || j - i);
  const held: number[][] = tables.map(() => []);
  for (const [i, j] of holder.entries()) if (j >= 0) held[j].push(i);

  const factors = tables.map((target, i): FactorPlan => {
    // A held factor that holds others has gathered them in its part of the marginals.
    const inputs = held[i].map((j) => (held[j].length > 0 ? tables[j] : potentials[j]));
    const { groups, steps, made } = planProducts(inputs, 1, target.cells / 4, sizes);
    passing.push(made);
    const into = groups.map((b, k) => tableStep({ a: k === 0 ? potentials[i] : target, b, target }, sizes));
    return {
      table: target,
      potential: potentials[i],
      gather: [...steps, ...into],
      spread: holder[i] < 0 ? undefined : tableStep({ a: tables[holder[i]], b: unit, sums: target }, sizes),
    };
  });
  return { factors, inward, passing };
};
