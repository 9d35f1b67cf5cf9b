import type { ShapeAxis } from '../../kernel/table-shape.js';

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
  readonly target?: Table;
  readonly sums?: Table;
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

/** The attributes that are in either list. */
export const union = (a: readonly number[], b: readonly number[]): number[] =>
  [...new Set([...a, ...b])].sort((x, y) => x - y);

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
  const walked = [...new Set([a, b, target, sums].flatMap((each) => each?.attributes ?? []))].sort((x, y) => x - y);
  const holders = [a, b, target, sums].map((each) => new Set(each?.attributes));
  const steps = [8, 8, 8, 8];
  const axes: { length: number; holds: string; steps: number[] }[] = [];
  for (const attribute of walked.toReversed()) {
    const length = sizes[attribute];
    const held = holders.map((holder) => holder.has(attribute));
    const holds = String(held);
    const before = axes.at(-1);
    if (before?.holds === holds) before.length *= length;
    else axes.push({ length, holds, steps: steps.map((step, i) => (held[i] ? step : 0)) });
    for (const [i, holding] of held.entries()) if (holding) steps[i] *= length;
  }
  while (axes.length < 2) axes.push({ length: 1, holds: '', steps: [0, 0, 0, 0] });
  return {
    a,
    b,
    ...(target && { target }),
    ...(sums && { sums }),
    axes: axes.toReversed().map(({ length, steps: [a, b, target, sums] }) => ({ length, a, b, target, sums })),
    cells: walked.reduce((cells, attribute) => cells * sizes[attribute], 1),
    shape: 0,
  };
};
