/**
 * The counts of all cells of some attributes. Cells are numbered row-major in the order of `attributes` (the last
 * attribute varies fastest). An empty list is the total: one cell.
 */
export interface Marginal {
  readonly kind: 'marginal';
  readonly attributes: readonly string[];
}

/** The marginal of the named attributes, in this order. */
export const marginal = (...attributes: string[]): Marginal => ({ kind: 'marginal', attributes });

/** The number of rows: the marginal of no attribute, one cell. */
export const total = (): Marginal => marginal();
