import type { Cover } from './cover.js';

/** An axis that is summed away; table addresses are byte offsets from the start of the cover's memory. */
export interface SumStep {
  readonly from: number;
  readonly to: number;
  readonly outer: number;
  readonly size: number;
  readonly inner: number;
}

/** How to get every wanted table out of a cover's joint table, which lies at offset 0. */
export interface SumPlan {
  readonly steps: readonly SumStep[];
  /** Where the cells of each wanted set are in the end, over its attributes in ascending order. */
  readonly results: readonly { readonly wanted: number; readonly offset: number; readonly cells: number }[];
  /** Memory for the joint table and everything after it. */
  readonly bytes: number;
}

const align = (bytes: number): number => Math.ceil(bytes / 16) * 16;

/**
 * Sums the largest unwanted attribute out first, and shares that step among all the sets without it; then the same again
 * in the smaller table. `tableBytes` are those of the joint table with what belongs to it, `cellBytes` those of a cell: 4, of counts, by default.
 */
export const planSums = (
  cover: Cover,
  sets: readonly (readonly number[])[],
  sizes: readonly number[],
  tableBytes: number,
  cellBytes = 4,
): SumPlan => {
  const steps: SumStep[] = [];
  const results: { wanted: number; offset: number; cells: number }[] = [];
  let bytes = align(tableBytes);

  const descend = (attributes: readonly number[], cells: number, offset: number, wanted: readonly number[]): void => {
    const without = new Map<number, number[]>();
    for (const position of wanted) {
      let largest = -1;
      for (const attribute of attributes)
        if (!sets[position].includes(attribute) && (largest < 0 || sizes[attribute] > sizes[largest]))
          largest = attribute;
      if (largest < 0) results.push({ wanted: position, offset, cells });
      else if (without.has(largest)) without.get(largest)!.push(position);
      else without.set(largest, [position]);
    }
    for (const [attribute, rest] of without) {
      const axis = attributes.indexOf(attribute);
      const inner = attributes.slice(axis + 1).reduce((product, other) => product * sizes[other], 1);
      const size = sizes[attribute];
      const to = bytes;
      bytes = align(bytes + (cells / size) * cellBytes);
      steps.push({ from: offset, to, outer: cells / (size * inner), size, inner });
      descend(
        attributes.filter((other) => other !== attribute),
        cells / size,
        to,
        rest,
      );
    }
  };

  descend(cover.attributes, cover.cells, 0, cover.wanted);
  return { steps, results, bytes };
};
