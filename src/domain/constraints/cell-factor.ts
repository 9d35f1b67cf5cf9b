import type { Rule } from './rules.js';

/** Which combinations of cells of a few columns may be. */
export interface CellFactor {
  /** Places in the domain, ascending. */
  readonly attributes: readonly number[];
  /** 1 where a record can be, row-major in the order of `attributes`. */
  readonly allowed: Uint8Array;
  /** The constraints that it stands for. */
  readonly rules: readonly Rule[];
}
