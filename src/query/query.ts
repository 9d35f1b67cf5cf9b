import type { Block } from './block.js';
import type { Marginal } from './marginal.js';

/** A linear query matrix that is a Kronecker product of one block for each named attribute; others are summed out. */
export interface FactoredQuery {
  readonly kind: 'factored';
  readonly factors: readonly { readonly attribute: string; readonly block: Block }[];
}

/** Every linear query the product has. Answers are row-major over the factors' rows, in the order of the factors. */
export type Query = Marginal | FactoredQuery;
