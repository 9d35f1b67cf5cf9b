import type { Attribute } from '../attribute/attribute.js';
import { cellLabels, isOrdered, nullCell, otherCell, valueCells } from '../attribute/cells.js';
import { kindOf } from '../attribute/kinds/kinds.js';

/** An attribute's cells as stretches of a line, so that conditions on it are ranges: numbers, days, or positions of categories. */
export interface Axis {
  readonly attribute: Attribute;
  /** Value cell i holds edges[i] <= x < edges[i + 1]; infinite at open ends. */
  readonly edges: Float64Array;
  /** Where the declared cells begin and end, without open ends. */
  readonly declared: readonly [from: number, to: number];
  /** How far it is taken to go where a number is needed: as declared, and somewhat further at open ends. */
  readonly reach: readonly [from: number, to: number];
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

export const axisOf = (attribute: Attribute): Axis => {
  const { spec } = attribute;
  const labels = cellLabels(attribute);
  const cells = valueCells(spec);
  const { line } = kindOf(spec);
  let places: Map<string, number> | undefined;
  // A map, since a statement may name thousands of labels.
  const labelled = (label: string): number => {
    places ??= new Map(labels.slice(0, cells).map((own, cell) => [own, cell]));
    return places.get(label) ?? -1;
  };
  const edges = line.edges(spec);
  const inner = edges.filter(Number.isFinite);
  const declared = [inner[0], inner[inner.length - 1]] as const;
  return {
    attribute,
    edges,
    declared,
    reach: inner.length === edges.length ? declared : (line.reach?.(spec) ?? declared),
    ordered: isOrdered(attribute),
    continuous: line.continuous,
    other: otherCell(spec),
    null: nullCell(spec),
    labels,
    labelled,
  };
};

/** Values from <= x < to of an attribute, as far as it is taken to go. */
export const withinReach = ({ reach: [first, last] }: Axis, from: number, to: number): readonly [number, number] => {
  const start = Math.max(from, first);
  return [start, Math.max(start, Math.min(to, last))];
};

/** Whether a value cell is an open end. */
export const isOpenCell = ({ edges }: Axis, cell: number): boolean =>
  !Number.isFinite(edges[cell]) || !Number.isFinite(edges[cell + 1]);

/** The number that stands for the values from <= x < to of an attribute in sums and averages; undefined where it has no numbers. */
export const standsFor = ({ attribute: { spec } }: Axis, from: number, to: number): number | undefined =>
  kindOf(spec).line.mean(from, to);
