import { openCells } from '../../domain/attribute/cells.js';
import type { Domain } from '../../domain/domain.js';

/** A cell for what lies beyond an attribute's declared ends. */
export interface OpenCell {
  readonly attribute: number;
  readonly cell: number;
}

/** All copies together are this part of the public rows, ... */
const partOfRows = 4;
/** ... but at least so many for each open end, as far as there are rows. */
const fewest = 300;
/** Copies that lie beyond another end as well: one in so many. */
const twiceBeyond = 8;

/** Copies of what is public, moved beyond open ends: a fit can give weight to them where measurements ask for it. */
export interface OpenCopies {
  readonly open: readonly OpenCell[];
  /** Copies for each open end: of these rows, or households. */
  readonly copied: Uint32Array;
  /** Where copy i of an end lies: beyond it, and one in eight beyond an end of another attribute too. */
  readonly places: (end: number, i: number) => readonly OpenCell[];
}

/** What to copy of rows, or households, with such weights; undefined where no end is open. */
export const openCopies = ({ attributes }: Domain, weights: Float64Array): OpenCopies | undefined => {
  const open = attributes.flatMap(({ spec }, attribute) => openCells(spec).map((cell) => ({ attribute, cell })));
  if (open.length === 0) return undefined;
  const each = Math.min(weights.length, Math.max(fewest, Math.ceil(weights.length / partOfRows / open.length)));
  const others = open.map((own) => open.filter(({ attribute }) => attribute !== own.attribute));
  return {
    open,
    copied: evenly(weights, each),
    places: (end, i) =>
      others[end].length === 0 || i % twiceBeyond !== 0
        ? [open[end]]
        : [open[end], others[end][(i / twiceBeyond) % others[end].length]],
  };
};

/** Rows at even distances of the weights that add up. */
const evenly = (weights: Float64Array, count: number): Uint32Array => {
  const rows = new Uint32Array(count);
  let row = 0;
  let upTo = weights[0];
  for (let i = 0; i < count; i++) {
    while (upTo < (i + 0.5) / count && row + 1 < weights.length) upTo += weights[++row];
    rows[i] = row;
  }
  return rows;
};
