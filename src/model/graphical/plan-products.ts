import { type Table, type TableStep, table, tableStep, union } from './table-step.js';

/** Tables to multiply, after small ones have been multiplied among themselves. */
export interface Products {
  readonly groups: readonly Table[];
  readonly steps: readonly TableStep[];
  /** The tables that the steps make, to be given memory. */
  readonly made: readonly Table[];
}

/**
 * Multiplies inputs among themselves until `groups` are left or the next product would have more than `limit` cells, so that few
 * passes over a large table follow: the two whose product has the fewest cells go first.
 */
export const planProducts = (
  inputs: readonly Table[],
  groups: number,
  limit: number,
  sizes: readonly number[],
): Products => {
  const left = [...inputs];
  const steps: TableStep[] = [];
  const made: Table[] = [];
  const join = (i: number, j: number): void => {
    const [a, b] = [left[i], left[j]];
    const target = table(union(a.attributes, b.attributes), sizes);
    steps.push(tableStep({ a, b, target }, sizes));
    made.push(target);
    left.splice(j, 1);
    left[i] = target;
  };
  while (left.length > groups) {
    let [best, i, j] = [Number.POSITIVE_INFINITY, 0, 0];
    for (let y = 1; y < left.length; y++)
      for (let x = 0; x < y; x++) {
        const { cells } = table(union(left[x].attributes, left[y].attributes), sizes);
        if (cells < best) [best, i, j] = [cells, x, y];
      }
    if (best > limit) break;
    join(i, j);
  }
  return { groups: left, steps, made };
};
