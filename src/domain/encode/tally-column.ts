import type { Attribute } from '../attribute/attribute.js';
import { nullCell, openCells, otherCell } from '../attribute/cells.js';
import { BEYOND, columnEncoder, encodingProblem, UNDECLARED } from '../attribute/column-encoder.js';

/** How the values of one *public* column fall on the cells of its attribute. */
export interface Tally {
  readonly attribute: Attribute;
  /** One count for each cell. */
  readonly counts: Float64Array;
  readonly null: number;
  readonly other: number;
  /** Values beyond the declared range, counted in the first or last bin, ... */
  readonly clamped: number;
  /** ... and those counted in the cell of an open end. */
  readonly beyond: number;
  /** Values that the attribute has no cell for. */
  readonly outside: number;
  /** The first of them: its data row, counted from 1, and what is wrong with it in words. */
  readonly problem: { readonly row: number; readonly text: string } | undefined;
}

/**
 * Counts a column that arrives in parts. It is there to show how a table fits a schema, so a value that the schema does not name is
 * told even where a release would have a place for it.
 */
export const tallyColumn = (attribute: Attribute) => {
  const { spec } = attribute;
  const encode = columnEncoder(attribute);
  const encodeNamed = columnEncoder(attribute, 'stop');
  const rest = otherCell(spec);
  const counts = new Float64Array(attribute.size);
  let rows = 0;
  const open = new Set(openCells(spec));
  let clamped = 0;
  let beyond = 0;
  let outside = 0;
  let problem: Tally['problem'];
  const add = (values: ArrayLike<unknown>): void => {
    for (let i = 0; i < values.length; i++) {
      const named = encodeNamed(values[i]);
      const isPlaced = named >= 0 || named === BEYOND || (named === UNDECLARED && rest >= 0);
      if (!isPlaced) {
        outside++;
        problem ??= { row: rows + i + 1, text: encodingProblem(attribute, named) };
        continue;
      }
      const cell = encode(values[i]);
      counts[cell]++;
      if (open.has(cell)) beyond++;
      else if (named === BEYOND) clamped++;
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
    beyond,
    outside,
    problem,
  });
  return { add, result };
};
