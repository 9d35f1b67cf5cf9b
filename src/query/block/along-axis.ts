import type { AlongAxis } from './block-kind.js';

/** The entries of a matrix that are not zero: where each stands, and what it is unless one. */
export interface Entries {
  readonly rows: readonly number[];
  readonly cells: readonly number[];
  readonly factors?: readonly number[] | undefined;
}

/** The products with a matrix and with its transpose, from a list of its entries: the same sums with the axes' roles exchanged. */
export const byEntries = <B>(
  rowsOf: (block: B, size: number) => number,
  entriesOf: (block: B, size: number) => Entries,
): { readonly apply: AlongAxis<B>; readonly transpose: AlongAxis<B> } => ({
  apply: (block, size, values, outer, inner) => {
    const { rows, cells, factors } = entriesOf(block, size);
    return moved(values, { from: cells, to: rows, factors }, [outer, size, rowsOf(block, size), inner]);
  },
  transpose: (block, size, values, outer, inner) => {
    const { rows, cells, factors } = entriesOf(block, size);
    return moved(values, { from: rows, to: cells, factors }, [outer, rowsOf(block, size), size, inner]);
  },
});

interface Moves {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly factors: readonly number[] | undefined;
}

/** out[o, to, i] += factor values[o, from, i] for every entry. */
const moved = (
  values: Float64Array,
  { from, to, factors }: Moves,
  [outer, size, rows, inner]: readonly [number, number, number, number],
): Float64Array => {
  const out = new Float64Array(outer * rows * inner);
  for (let o = 0; o < outer; o++)
    for (let entry = 0; entry < from.length; entry++) {
      const source = (o * size + from[entry]) * inner;
      const target = (o * rows + to[entry]) * inner;
      const factor = factors === undefined ? 1 : factors[entry];
      for (let i = 0; i < inner; i++) out[target + i] += factor * values[source + i];
    }
  return out;
};

/** Running sums along the middle axis, from its first entry on (`step` 1) or from its last back (-1), into `out`, which may be `values`. */
export const runningSums = (
  step: 1 | -1,
  size: number,
  values: Float64Array,
  outer: number,
  inner: number,
  out = new Float64Array(values.length),
): Float64Array => {
  for (let o = 0; o < outer; o++) {
    let at = (o * size + (step === 1 ? 0 : size - 1)) * inner;
    for (let i = 0; i < inner; i++) out[at + i] = values[at + i];
    for (let cell = 1; cell < size; cell++) {
      const before = at;
      at += step * inner;
      for (let i = 0; i < inner; i++) out[at + i] = values[at + i] + out[before + i];
    }
  }
  return out;
};

/** 0, 1, ..., count - 1. */
export const upTo = (count: number): number[] => {
  const list: number[] = [];
  for (let i = 0; i < count; i++) list.push(i);
  return list;
};
