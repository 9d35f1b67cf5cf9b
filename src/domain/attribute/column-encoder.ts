import { BEYOND, EMPTY, type Outside, outsideCells } from '../schema/outside.js';
import type { Attribute } from './attribute.js';
import type { Encoder } from './kinds/kind.js';
import { kindOf } from './kinds/kinds.js';

export { BEYOND, EMPTY, UNDECLARED } from '../schema/outside.js';
export type { Encoder } from './kinds/kind.js';

/**
 * The function from values to cells of an attribute, under a rule for values that it does not name: the answer is a cell, or
 * `UNDECLARED`, `EMPTY` or `BEYOND`. Empty are null, undefined, NaN, an invalid `Date`, the empty text and the declared `nullValues`. Cost
 * a value: a map lookup for categories, arithmetic or a binary search for numbers.
 */
export const columnEncoder = ({ spec }: Attribute, outside: Outside = 'declared'): Encoder =>
  kindOf(spec).encoder(spec, outsideCells(spec, outside));

/** Why a value could not be encoded and what to do about it, in words that hold nothing of the value. */
export const encodingProblem = ({ spec }: Attribute, code: number): string => {
  if (code === EMPTY) return 'empty, and the attribute has no cell for that; add `"null": true` to it';
  if (code === BEYOND)
    return 'beyond the declared range, which was to stop the run; widen the range or choose another rule';
  return kindOf(spec).undeclared;
};
