import { type Table, type TableStep, table, tableStep, union } from '../table-step.js';
import { bitsOf, joinClosest } from './join-closest.js';

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
  if (inputs.length <= groups) return { groups: inputs, steps: [], made: [] };
  const left: (Table | undefined)[] = [...inputs];
  const steps: TableStep[] = [];
  const made: Table[] = [];
  const bits = bitsOf(union(...inputs.map(({ attributes }) => attributes)), sizes);
  const sets = inputs.map(({ attributes }) => bits.of(attributes));
  joinClosest(sets, bits, groups, limit, (i, j, both) => {
    const target = table(bits.attributes(both), sizes);
    steps.push(tableStep({ a: left[i]!, b: left[j]!, target }, sizes));
    made.push(target);
    left[i] = target;
    left[j] = undefined;
  });
  return { groups: left.filter((each) => each !== undefined), steps, made };
};
