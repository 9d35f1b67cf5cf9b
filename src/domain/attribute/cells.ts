import { InputError } from '../input-error.js';
import { limits } from '../limits.js';
import type { Attribute, AttributeSpec } from './attribute.js';
import { kindOf } from './kinds/kinds.js';
import { isOpenAbove, isOpenBelow } from './open-ends.js';

/** Number of cells for declared values or bins of a checked attribute: without `other` and null. */
export const valueCells = (spec: AttributeSpec): number => kindOf(spec).cells(spec);

/** The cell of every undeclared category value, or -1 when the attribute has none. */
export const otherCell = (spec: AttributeSpec): number =>
  kindOf(spec).other(spec) === undefined ? -1 : valueCells(spec);

/** The cell of empty values, always the last one, or -1 when the attribute has none. */
export const nullCell = (spec: AttributeSpec): number =>
  spec.null === true ? valueCells(spec) + (otherCell(spec) < 0 ? 0 : 1) : -1;

/** The cells at open ends of a checked attribute, the lower one first; none where no end is open. */
export const openCells = (spec: AttributeSpec): number[] => {
  const ends = 'open' in spec ? spec : {};
  return [...(isOpenBelow(ends) ? [0] : []), ...(isOpenAbove(ends) ? [valueCells(spec) - 1] : [])];
};

/** Number of all cells of a checked attribute. */
export const sizeOf = (spec: AttributeSpec): number =>
  valueCells(spec) + (otherCell(spec) < 0 ? 0 : 1) + (spec.null === true ? 1 : 0);

/**
 * True when the first `valueCells` cells have a meaningful order, so that prefixes and ranges of them make sense. `other`
 * and null come after them and are in no order.
 */
export const isOrdered = ({ spec }: Attribute): boolean => kindOf(spec).order(spec) === 'ordered';

/**
 * What to call each cell, in cell order: "30-39" (integers, both ends in), "[0.5, 1)" (numbers; the last bin closed),
 * "2014-03", a category's own text, `other`'s label, "null". One string a cell.
 */
export const cellLabels = (attribute: Attribute): string[] => {
  checkNamed(attribute);
  const { spec } = attribute;
  const labels = kindOf(spec).labels(spec);
  const other = kindOf(spec).other(spec);
  if (other !== undefined) labels.push(other);
  if (spec.null === true) labels.push('null');
  return labels;
};

/** Refuses an attribute of more cells than can be named one by one: a short declaration can have billions. */
export const checkNamed = ({ name, size }: Attribute): void => {
  if (size > limits.labels)
    throw new InputError(
      `attribute ${JSON.stringify(name)}: must have at most ${limits.labels} cells to be shown cell by cell, got ${size}; use coarser bins`,
    );
};
