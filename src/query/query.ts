import type { Block } from './block/block.js';
import type { Holding } from './holding.js';
import type { Marginal } from './marginal.js';

/** A linear query matrix that is a Kronecker product of one block for each named attribute; others are summed out. */
export interface FactoredQuery {
  readonly kind: 'factored';
  readonly factors: readonly { readonly attribute: string; readonly block: Block }[];
}

/**
 * A linear query that is no product: one list of integers for each answer, with an entry for each cell of the marginal of the
 * attributes, row-major in their order.
 */
export interface DenseQuery {
  readonly kind: 'dense';
  readonly attributes: readonly string[];
  readonly rows: readonly (readonly number[])[];
}

/** A query that is linear in the rows. Answers are row-major over the factors' rows, in the order of the factors. */
export type LinearQuery = Marginal | FactoredQuery | DenseQuery;

/** Every query the product has: linear ones, and counts of households, which are linear in households and not in their rows. */
export type Query = LinearQuery | Holding;

/**
 * A factored query from blocks by attribute, in the order of the object's keys. (JavaScript moves keys that look like
 * integers to the front: write `factors` out where attributes have such names and the order of the answers matters.)
 *
 * @example
 * ```ts
 * const youngerBySex = factored({ age: { kind: 'prefix' }, sex: { kind: 'keep' } });
 * ```
 */
export const factored = (blocks: Readonly<Record<string, Block>>): FactoredQuery => ({
  kind: 'factored',
  factors: Object.entries(blocks).map(([attribute, block]) => ({ attribute, block })),
});

/** Cumulative counts of one attribute: rows in cells 0..b for every cell b. */
export const prefix = (attribute: string): FactoredQuery => factored({ [attribute]: { kind: 'prefix' } });

/** The number of rows in cells low..high, both inclusive, of one attribute. */
export const range = (attribute: string, low: number, high: number): FactoredQuery =>
  factored({ [attribute]: { kind: 'ranges', ranges: [[low, high]] } });
