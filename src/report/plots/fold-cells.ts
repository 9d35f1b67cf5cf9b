import type { Attribute } from '../../domain/attribute/attribute.js';
import { cellLabels, isOrdered, nullCell, otherCell, valueCells } from '../../domain/attribute/cells.js';
import { kindOf } from '../../domain/attribute/kinds/kinds.js';
import { plural } from '../number-text.js';

/** A bar of a plot: one cell of an attribute, or several that share it. */
export interface Bar {
  readonly label: string;
  /** Cell numbers, at least one. */
  readonly cells: readonly number[];
  /** Whether it is several cells, the null cell, or the one for values that are not listed: no value of its own. */
  readonly aside: boolean;
}

export interface Folded {
  readonly bars: readonly Bar[];
  /** Whether neighbours in the plot are neighbours in value. */
  readonly ordered: boolean;
  /** True when some bars stand for several cells. */
  readonly folded: boolean;
}

/** Categories with a bar of their own, when there are more than `mostPlain`. */
const topCategories = 12;
const mostPlain = 15;
/** Bars of an attribute in order, when cells must be put together; up to `mostOrdered` they are shown as they are. */
const orderedBars = 48;
const mostOrdered = 100;

/**
 * The bars that show an attribute. Categories come by size, the greatest first, and the small ones of a long list share a bar;
 * values in order keep it, and very many are put together in equal numbers of cells. `sizes` gives each cell's size.
 */
export const foldCells = (attribute: Attribute, sizes: ArrayLike<number>): Folded => {
  const { spec } = attribute;
  const kind = kindOf(spec);
  const labels = cellLabels(attribute);
  const ordered = isOrdered(attribute);
  const values = Array.from({ length: valueCells(spec) }, (_, cell) => cell);
  const own = (cell: number, aside = false): Bar => ({ label: labels[cell], cells: [cell], aside });
  const last = [otherCell(spec), nullCell(spec)].filter((cell) => cell >= 0).map((cell) => own(cell, true));
  if (ordered) {
    if (values.length <= mostOrdered)
      return { bars: [...values.map((cell) => own(cell)), ...last], ordered, folded: false };
    const width = Math.ceil(values.length / orderedBars);
    const between = typeof kind.single(spec)?.(0) === 'number' ? '–' : ' … ';
    const bars: Bar[] = [];
    for (let from = 0; from < values.length; from += width) {
      const cells = values.slice(from, from + width);
      const label = cells.length === 1 ? labels[from] : `${labels[from]}${between}${labels[cells[cells.length - 1]]}`;
      bars.push({ label, cells, aside: false });
    }
    return { bars: [...bars, ...last], ordered, folded: true };
  }
  const bySize = kind.order(spec) === 'fixed' ? values : values.sort((a, b) => sizes[b] - sizes[a] || a - b);
  if (values.length <= mostPlain)
    return { bars: [...bySize.map((cell) => own(cell)), ...last], ordered, folded: false };
  const rest = bySize.slice(topCategories);
  const others = { label: plural(rest.length, 'other'), cells: rest, aside: true };
  return { bars: [...bySize.slice(0, topCategories).map((cell) => own(cell)), others, ...last], ordered, folded: true };
};
