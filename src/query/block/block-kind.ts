import * as v from 'valibot';
import type { BlockProfile } from './block-profile.js';

/** The JSON form of a whole number. */
export const integer = v.pipe(v.number(), v.safeInteger());

/** A product with a block's matrix along the middle axis of an array of shape outer x axis x inner. */
export type AlongAxis<B> = (block: B, size: number, values: Float64Array, outer: number, inner: number) => Float64Array;

/** The products of one block, prepared: see `AlongAxis`. */
export interface PreparedProducts {
  apply(values: Float64Array, outer: number, inner: number): Float64Array;
  transpose(values: Float64Array, outer: number, inner: number): Float64Array;
}

/**
 * Everything that the software knows of one kind of block, over an attribute of `size` cells. The matrix itself, B, is never
 * built. `kinds/` has one file a kind, `block-kinds` the record of them all.
 */
export interface BlockKind<B extends { readonly kind: string }> {
  /** Its JSON form, which is the block itself: what it has beside its kind. */
  readonly fields: { readonly [F in Exclude<keyof B, 'kind'>]: v.GenericSchema<unknown, B[F]> };
  /** Calls `refuse` with the rule that the block breaks and with what it has instead. All else is asked of blocks that passed. */
  check(block: B, size: number, refuse: (rule: string, got: unknown) => never): void;
  /** Rows of the matrix: answers for each combination of the other attributes. */
  rows(block: B, size: number): number;
  /**
   * From outer x size x inner to outer x rows x inner: out[o, r, i] = sum over cells of B[r, cell] values[o, cell, i], at the cost of
   * reading the input and writing the output. A new array, except that `keep` returns `values` itself.
   */
  readonly apply: AlongAxis<B>;
  /** The transpose, from outer x rows x inner to outer x size x inner: out[o, cell, i] = sum over rows of B[r, cell] values[o, r, i]. */
  readonly transpose: AlongAxis<B>;
  /** Both products with all that does not depend on the values worked out; absent where there is no such thing. */
  prepare?(block: B, size: number): PreparedProducts;
  /** What sensitivities need to know: docs/queries.md derives each. */
  profile(block: B, size: number): BlockProfile;
  /** The least and the largest entry of the matrix, or bounds on them. */
  entries(block: B, size: number): readonly [low: number, high: number];
  /** The sum of the squares of each row's entries: the variance of an answer when every cell has variance one. */
  squares(block: B, size: number): number[];
  /**
   * The rows divided into classes of disjoint rows: for each class, which of its rows counts a cell, or -1. Undefined when an entry is
   * neither 0 nor 1, and for `matrix`, which may have others.
   */
  classes(block: B, size: number): Int32Array[] | undefined;
  /** The shortest w with w^T B = 1^T, one entry a row; undefined when the rows do not span the all-ones vector. */
  totalWeights(block: B, size: number): Float64Array | undefined;
  /** For a block with one answer, the number of rows in these cells: the cells. */
  cells?(block: B): readonly number[];
  /** Words for people, around the name of the attribute. */
  words(attribute: string, block: B): string;
  /** Blocks with the same key have the same matrix; empty for `keep`, since a marginal and its factored form are one. */
  key(block: B): string;
}
