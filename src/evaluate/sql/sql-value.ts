import { kindOf } from '../../domain/attribute/kinds/kinds.js';
import type { Axis } from '../../domain/sql/axis.js';

/** What a column or a bin of a group is called, or a number; null where there is none. */
export type SqlValue = string | number | boolean | null;

/** A cell as a person would write it. */
export const cellName = ({ attribute: { spec }, labels, null: empty }: Axis, cell: number): SqlValue =>
  cell === empty ? null : (kindOf(spec).single(spec)?.(cell) ?? labels[cell]);
