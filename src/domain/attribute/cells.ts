import { InputError } from '../input-error.js';
import { limits } from '../limits.js';
import type { Attribute, AttributeSpec } from './attribute.js';
import { binCount, binEdges, isUnitBins } from './bin-edges.js';
import { parseDay, periodLabel, periodNumber } from './calendar.js';

/** Number of cells for declared values or bins of a checked attribute: without `other` and null. */
export const valueCells = (spec: AttributeSpec): number => {
  switch (spec.type) {
    case 'category':
      return spec.values.length;
    case 'boolean':
      return 2;
    case 'integer':
    case 'number':
      return binCount(spec);
    case 'date':
      return periodNumber(spec.by, parseDay(spec.max)!) - periodNumber(spec.by, parseDay(spec.min)!) + 1;
  }
};

/** The cell of every undeclared category value, or -1 when the attribute has none. */
export const otherCell = (spec: AttributeSpec): number =>
  spec.type === 'category' && spec.other !== undefined ? spec.values.length : -1;

/** The cell of empty values, always the last one, or -1 when the attribute has none. */
export const nullCell = (spec: AttributeSpec): number =>
  spec.null === true ? valueCells(spec) + (otherCell(spec) < 0 ? 0 : 1) : -1;

/** Number of all cells of a checked attribute. */
export const sizeOf = (spec: AttributeSpec): number =>
  valueCells(spec) + (otherCell(spec) < 0 ? 0 : 1) + (spec.null === true ? 1 : 0);

/**
 * True when the first `valueCells` cells have a meaningful order, so that prefixes and ranges of them make sense. `other`
 * and null come after them and are in no order.
 */
export const isOrdered = ({ spec }: Attribute): boolean =>
  spec.type === 'category' ? spec.ordered === true : spec.type !== 'boolean';

/**
 * What to call each cell, in cell order: "30-39" (integers, both ends in), "[0.5, 1)" (numbers; the last bin closed),
 * "2014-03", a category's own text, `other`'s label, "null". One string a cell.
 */
export const cellLabels = (attribute: Attribute): string[] => {
  checkNamed(attribute);
  const { spec } = attribute;
  const labels = valueLabels(spec);
  if (spec.type === 'category' && spec.other !== undefined) labels.push(spec.other);
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

const valueLabels = (spec: AttributeSpec): string[] => {
  switch (spec.type) {
    case 'category':
      return [...spec.values];
    case 'boolean':
      return ['false', 'true'];
    case 'integer': {
      if (isUnitBins(spec)) return Array.from({ length: binCount(spec) }, (_, i) => String(spec.min! + i));
      const edges = binEdges(spec);
      return Array.from({ length: edges.length - 1 }, (_, i) => range(edges[i], edges[i + 1] - 1));
    }
    case 'number': {
      const edges = binEdges(spec);
      const last = edges.length - 2;
      return Array.from({ length: last + 1 }, (_, i) => `[${edges[i]}, ${edges[i + 1]}${i === last ? ']' : ')'}`);
    }
    case 'date': {
      const first = periodNumber(spec.by, parseDay(spec.min)!);
      return Array.from({ length: valueCells(spec) }, (_, i) => periodLabel(spec.by, first + i));
    }
  }
};

// "-5--1" would be hard to read, so ranges with a negative end are written out.
const range = (low: number, high: number): string =>
  low === high ? String(low) : low < 0 ? `${low} to ${high}` : `${low}-${high}`;
