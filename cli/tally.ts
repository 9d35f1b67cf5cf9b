import type { Attribute, AttributeSpec } from '../src/domain/attribute.js';
import { binEdges, isUnitBins } from '../src/domain/bin-edges.js';
import { parseDay, periodNumber } from '../src/domain/calendar.js';
import { nullCell, otherCell, valueCells } from '../src/domain/cells.js';
import { columnEncoder, encodingProblem } from '../src/domain/column-encoder.js';
import { plainNumber } from '../src/domain/plain-number.js';

/** How the values of one *public* column fall on the cells of its attribute. */
export interface Tally {
  readonly attribute: Attribute;
  /** One count for each cell. */
  readonly counts: Float64Array;
  readonly null: number;
  readonly other: number;
  /** Values beyond the declared range, counted in the first or last bin. */
  readonly clamped: number;
  /** Values that the attribute has no cell for. */
  readonly outside: number;
  /** The first of them: its data row, counted from 1, and what is wrong with it in words. */
  readonly problem: { readonly row: number; readonly text: string } | undefined;
}

/** Counts a column that arrives in parts. */
export const tallyColumn = (attribute: Attribute) => {
  const { spec } = attribute;
  const encode = columnEncoder(attribute);
  const isBeyond = beyond(spec);
  const last = valueCells(spec) - 1;
  const counts = new Float64Array(attribute.size);
  let rows = 0;
  let clamped = 0;
  let outside = 0;
  let problem: Tally['problem'];
  const add = (values: ArrayLike<unknown>): void => {
    for (let i = 0; i < values.length; i++) {
      const cell = encode(values[i]);
      if (cell < 0) {
        outside++;
        problem ??= { row: rows + i + 1, text: encodingProblem(attribute, cell) };
        continue;
      }
      counts[cell]++;
      if ((cell === 0 || cell === last) && isBeyond(values[i])) clamped++;
    }
    rows += values.length;
  };
  const at = (cell: number) => (cell < 0 ? 0 : counts[cell]);
  const result = (): Tally => ({
    attribute,
    counts,
    null: at(nullCell(spec)),
    other: at(otherCell(spec)),
    clamped,
    outside,
    problem,
  });
  return { add, result };
};

/** True for values before the first or after the last declared bin or period. */
const beyond = (spec: AttributeSpec): ((value: unknown) => boolean) => {
  if (spec.type === 'date') {
    const [low, high] = [spec.min, spec.max].map((text) => periodNumber(spec.by, parseDay(text)!));
    return (value) => {
      const day = parseDay(String(value));
      const period = day && periodNumber(spec.by, day);
      return period !== undefined && (period < low || period > high);
    };
  }
  if (spec.type !== 'integer' && spec.type !== 'number') return () => false;
  const edges = isUnitBins(spec) ? [spec.min!, spec.max! + 1] : binEdges(spec);
  const low = edges[0];
  const end = edges[edges.length - 1];
  return (value) => {
    const x = typeof value === 'number' ? value : plainNumber(String(value));
    if (x === undefined) return false;
    // The last bin of numbers holds its upper edge; the last bin of integers ends before it.
    return x < low || (spec.type === 'integer' ? x >= end : x > end);
  };
};
