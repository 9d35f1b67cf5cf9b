import type { Attribute } from '../../domain/attribute/attribute.js';
import { binEdges, isUnitBins } from '../../domain/attribute/bin-edges.js';
import {
  dayNumber,
  dayOfNumber,
  isoDay,
  parseDay,
  periodNumber,
  periodStart,
} from '../../domain/attribute/calendar.js';
import { cellLabels, isOrdered, nullCell, otherCell, valueCells } from '../../domain/attribute/cells.js';
import { BOOLEAN_TEXTS } from '../../domain/attribute/column-encoder.js';
import { plainNumber } from '../../domain/attribute/plain-number.js';
import { meant, type Refuse } from './sql-error.js';
import type { SqlLiteral } from './statement.js';

/** An attribute's cells as stretches of a line, so that conditions on it are ranges: numbers, days, or positions of categories. */
export interface Axis {
  readonly attribute: Attribute;
  /** Value cell i holds edges[i] <= x < edges[i + 1]. */
  readonly edges: Float64Array;
  /** Whether < and > mean something. */
  readonly ordered: boolean;
  /** Whether a value may be any number: then a single one is a point without width. */
  readonly continuous: boolean;
  /** Cells off the line, or -1. */
  readonly other: number;
  readonly null: number;
  /** What to call each cell. */
  readonly labels: readonly string[];
  /** The value cell of a label, or -1. */
  readonly labelled: (label: string) => number;
}

/** The values that a literal stands for, from <= x < to; `other` for the cell of undeclared categories. */
export type Extent = { readonly from: number; readonly to: number } | 'other';

export const axisOf = (attribute: Attribute): Axis => {
  const { spec } = attribute;
  const labels = cellLabels(attribute);
  const cells = valueCells(spec);
  let places: Map<string, number> | undefined;
  // A map, since a statement may name thousands of labels.
  const labelled = (label: string): number => {
    places ??= new Map(labels.slice(0, cells).map((own, cell) => [own, cell]));
    return places.get(label) ?? -1;
  };
  return {
    attribute,
    edges: edgesOf(attribute),
    ordered: isOrdered(attribute),
    continuous: spec.type === 'number',
    other: otherCell(spec),
    null: nullCell(spec),
    labels,
    labelled,
  };
};

const edgesOf = ({ spec }: Attribute): Float64Array => {
  const cells = valueCells(spec);
  if (spec.type === 'date') {
    const first = periodNumber(spec.by, parseDay(spec.min)!);
    return Float64Array.from({ length: cells + 1 }, (_, i) => periodStart(spec.by, first + i));
  }
  if ((spec.type === 'integer' || spec.type === 'number') && !isUnitBins(spec)) return binEdges(spec);
  const start = spec.type === 'integer' ? spec.min! : 0;
  return Float64Array.from({ length: cells + 1 }, (_, i) => start + i);
};

/** The number that stands for the values from <= x < to of an attribute in sums and averages; undefined where it has no numbers. */
export const standsFor = ({ attribute: { spec }, continuous }: Axis, from: number, to: number): number | undefined => {
  if (spec.type === 'boolean') return from;
  if (spec.type !== 'integer' && spec.type !== 'number') return undefined;
  return continuous ? (from + to) / 2 : (from + to - 1) / 2;
};

/** Where a literal lies on the axis, or an error that says what the attribute has. */
export const extentOf = (axis: Axis, literal: SqlLiteral, refuse: Refuse): Extent => {
  const { attribute, labels, edges } = axis;
  const { spec, name } = attribute;
  const cells = edges.length - 1;
  const cell = (index: number): Extent => ({ from: edges[index], to: edges[index + 1] });
  const texts = typeof literal.value === 'number' ? [literal.text, String(literal.value)] : [String(literal.value)];
  // What a grouped answer calls a cell may be asked for again, numbers aside: 30 is a number, '30-39' is a label.
  const labelled = typeof literal.value === 'number' ? -1 : axis.labelled(texts[0]);
  const quoted = JSON.stringify(name);
  if (axis.null >= 0 && typeof literal.value === 'string' && (spec.nullValues ?? []).includes(literal.value))
    throw refuse(literal.at, `${literal.text} stands for an empty value of ${quoted}`, 'write IS NULL');
  switch (spec.type) {
    case 'category': {
      const index = texts.map(axis.labelled).find((found) => found >= 0);
      if (index !== undefined) return cell(index);
      if (spec.other !== undefined && texts.includes(spec.other)) return 'other';
      const rest = spec.other === undefined ? '' : `; values that are not listed share ${JSON.stringify(spec.other)}`;
      throw refuse(
        literal.at,
        `${quoted} must be compared with one of its values, got ${literal.text}`,
        `${meant(texts[0], spec.values, 'it has')}${rest}`,
      );
    }
    case 'boolean': {
      const index = BOOLEAN_TEXTS.get(texts[0].toLowerCase());
      if (index !== undefined) return cell(index);
      throw refuse(
        literal.at,
        `${quoted} must be compared with TRUE or FALSE, got ${literal.text}`,
        'write TRUE or FALSE',
      );
    }
    case 'date': {
      if (typeof literal.value === 'string') {
        const day = parseDay(literal.value);
        if (day !== undefined) return { from: dayNumber(day), to: dayNumber(day) + 1 };
      }
      const period = texts.map(axis.labelled).find((found) => found >= 0);
      if (period !== undefined) return cell(period);
      throw refuse(
        literal.at,
        `${quoted} must be compared with a date, got ${literal.text}`,
        `write a day such as '${isoDay(dayOfNumber(edges[0]))}' or a period such as '${labels[0]}', in quotes`,
      );
    }
    default: {
      if (labelled >= 0) return cell(labelled);
      const x =
        typeof literal.value === 'number'
          ? literal.value
          : typeof literal.value === 'string'
            ? plainNumber(literal.value)
            : undefined;
      if (x === undefined)
        throw refuse(
          literal.at,
          `${quoted} must be compared with a number, got ${literal.text}`,
          `it goes from ${labels[0]} to ${labels[cells - 1]}`,
        );
      if (axis.continuous) return { from: x, to: x };
      return Number.isInteger(x) ? { from: x, to: x + 1 } : { from: Math.ceil(x), to: Math.ceil(x) };
    }
  }
};
