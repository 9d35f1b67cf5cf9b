import { InputError } from '../../domain/input-error.js';
import type { Random } from '../../random/random.js';
import { shuffle } from '../../random/shuffle.js';
import { roundedCounts } from '../rounded-counts.js';

/** The probabilities of the cells of some variables, component after component; in a component, one variable after the other. */
export interface ComponentHeads {
  readonly components: number;
  /** Columns of a component. */
  readonly columns: number;
  /** Where the cells of each variable begin in a component, and how many there are. */
  readonly heads: readonly { readonly from: number; readonly size: number }[];
  /** In doubles, those of a variable summing to 1. */
  readonly exact: Float64Array;
}

/** Checks probabilities and makes those of each variable sum to 1: single precision leaves them 1e-7 off. */
export const componentHeads = (
  names: readonly string[],
  sizes: readonly number[],
  probabilities: Float32Array,
): ComponentHeads => {
  const columns = sizes.reduce((sum, size) => sum + size, 0);
  const components = probabilities.length / columns;
  if (!(Number.isSafeInteger(components) && components >= 1))
    throw new InputError(`mixture: must have ${columns} probabilities a component, got ${probabilities.length}`);
  const exact = Float64Array.from(probabilities);
  for (let at = 0; at < exact.length; )
    for (const [head, size] of sizes.entries()) {
      let sum = 0;
      for (let i = at; i < at + size; i++) sum += exact[i] >= 0 ? exact[i] : Number.NaN;
      if (!(Math.abs(sum - 1) < 1e-3))
        throw new InputError(
          `mixture: the probabilities of ${JSON.stringify(names[head])} must add up to 1, got others`,
        );
      for (const end = at + size; at < end; at++) exact[at] /= sum;
    }
  let next = 0;
  const heads = sizes.map((size) => {
    const from = next;
    next += size;
    return { from, size };
  });
  return { components, columns, heads, exact };
};

/** The probability of some cells of a variable in a component, which begins at `at`. */
export const insideOf = ({ exact }: ComponentHeads, at: number, cells: readonly number[]): number => {
  let inside = 0;
  for (const cell of cells) inside += exact[at + cell];
  return inside;
};

/** Each of the first `cells` products becomes `size` ones, by the probabilities from `at` on. Overwrites `products`; returns how many there are. */
export const multiplyIn = (
  products: Float64Array,
  cells: number,
  { exact }: ComponentHeads,
  at: number,
  size: number,
): number => {
  // From the end, since each product makes room for `size` others.
  for (let i = cells - 1; i >= 0; i--) {
    const own = products[i];
    for (let j = size - 1; j >= 0; j--) products[i * size + j] = own * exact[at + j];
  }
  return cells * size;
};

/** So many codes of a variable whose probabilities begin at `at`: each as often as they say, up to one, in random order. */
export const drawCodes = (
  { exact }: ComponentHeads,
  at: number,
  size: number,
  count: number,
  random: Random,
): number[] => {
  const codes: number[] = [];
  if (count > 0)
    roundedCounts(exact.subarray(at, at + size), count, random).forEach((copies, code) => {
      for (let copy = 0; copy < copies; copy++) codes.push(code);
    });
  return shuffle(codes, random);
};
