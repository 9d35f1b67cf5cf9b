import type { ShapeAxis } from '../../../kernel/table-shape.js';

/** A table over some attributes, by their places in the tree's order, ascending; row-major, the last fastest. */
export interface Table {
  readonly attributes: readonly number[];
  readonly cells: number;
  /** Bytes from the start of kernel memory; given when memory is. */
  address: number;
}

/** Walks all cells of `a` and `b` together: target = a b where there is a target, sums += a b where there are sums. */
export interface TableStep {
  readonly a: Table;
  readonly b: Table;
  readonly target?: Table | undefined;
  readonly sums?: Table | undefined;
  readonly axes: readonly ShapeAxis[];
  /** Cells walked. */
  readonly cells: number;
  /** Address of the axes in kernel memory; given when memory is. */
  shape: number;
}

export const table = (attributes: readonly number[], sizes: readonly number[]): Table => ({
  attributes,
  cells: attributes.reduce((cells, attribute) => cells * sizes[attribute], 1),
  address: 0,
});

/** The attributes that are in any of the lists; all ascend. */
export const union = (...lists: readonly (readonly number[])[]): number[] => {
  const merged: number[] = [];
  const at = lists.map(() => 0);
  for (;;) {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < lists.length; i++) if (at[i] < lists[i].length) least = Math.min(least, lists[i][at[i]]);
    if (least === Number.POSITIVE_INFINITY) return merged;
    merged.push(least);
    for (let i = 0; i < lists.length; i++) if (lists[i][at[i]] === least) at[i]++;
  }
};

/** True when everything in `small` is in `big`; both ascend. */
export const includes = (big: readonly number[], small: readonly number[]): boolean => {
  let at = 0;
  for (const each of small) {
    while (at < big.length && big[at] < each) at++;
    if (big[at] !== each) return false;
  }
  return true;
};

interface StepTables {
  readonly a: Table;
  readonly b: Table;
  readonly target?: Table | undefined;
  readonly sums?: Table | undefined;
}

/**
 * A step over all attributes of its tables. Neighbouring axes that the same tables hold become one: since all tables share one
 * order, what remains are alternating runs of kept and repeated axes.
 */
export const tableStep = ({ a, b, target, sums }: StepTables, sizes: readonly number[]): TableStep => {
  const held = [a, b, target, sums].map((each) => each?.attributes ?? []);
  const walked = union(...held);
  const left = held.map((list) => list.length - 1);
  const steps = [8, 8, 8, 8];
  const axes: { length: number; holds: number; steps: number[] }[] = [];
  for (let k = walked.length - 1; k >= 0; k--) {
    const length = sizes[walked[k]];
    let holds = 0;
    const here = [0, 0, 0, 0];
    for (let i = 0; i < 4; i++)
      if (held[i][left[i]] === walked[k]) {
        holds |= 1 << i;
        here[i] = steps[i];
        steps[i] *= length;
        left[i]--;
      }
    const before = axes.at(-1);
    if (before?.holds === holds) before.length *= length;
    else axes.push({ length, holds, steps: here });
  }
  while (axes.length < 2) axes.push({ length: 1, holds: 0, steps: [0, 0, 0, 0] });
  return {
    a,
    b,
    target,
    sums,
    axes: axes.toReversed().map(({ length, steps: [a, b, target, sums] }) => ({ length, a, b, target, sums })),
    cells: walked.reduce((cells, attribute) => cells * sizes[attribute], 1),
    shape: 0,
  };
};
