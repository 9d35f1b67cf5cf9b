/**
 * Building blocks of factored queries (Private-PGM, Table 2): each stands for a matrix with one column for every cell
 * of its attribute. All entries are integers, so that answers on counts are integers and exact noise applies; only those of `matrix`
 * may be negative.
 */
export type Block =
  /** I: keep the attribute. */
  | { readonly kind: 'keep' }
  /** 1: sum it out. */
  | { readonly kind: 'sum' }
  /** e_j: one cell. */
  | { readonly kind: 'value'; readonly cell: number }
  /** e_S: one set of cells. */
  | { readonly kind: 'set'; readonly cells: readonly number[] }
  /** P: cumulative counts of cells 0..b for every b. */
  | { readonly kind: 'prefix' }
  /** One row for each inclusive range [low, high] of cells. */
  | { readonly kind: 'ranges'; readonly ranges: readonly (readonly [number, number])[] }
  /** R_f: regroup cell a into group `groups[a]` of `size` groups. */
  | { readonly kind: 'regroup'; readonly groups: readonly number[]; readonly size: number }
  /** E: the sum of cell numbers a = 0, 1, ... */
  | { readonly kind: 'mean' }
  /** E_k: the sums of a, a^2, ..., a^k. */
  | { readonly kind: 'moments'; readonly count: number }
  /** Any integers: one list for each row, with one entry for each cell. */
  | { readonly kind: 'matrix'; readonly rows: readonly (readonly number[])[] }
  /** I - J/n: the mean taken out. The one block with other entries; a factor of a residual (`residual.ts`), which has no others. */
  | { readonly kind: 'centre' };

/** The blocks of one kind. */
export type BlockOf<K extends Block['kind']> = Extract<Block, { readonly kind: K }>;
