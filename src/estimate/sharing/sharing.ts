import { isOrdered, valueCells } from '../../domain/attribute/cells.js';
import { attributeNamed, type Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';

/*
 * What is measured of a cell of an ordered attribute says something of its neighbours. Where the steps of a fit are shared with them, what many cells in a row say together
 * is followed before what one says alone, which noise says too. See docs/graphical.md#neighbours.
 */

/** For some ordered attributes, the weight of a cell alone beside those of its neighbourhoods; all others keep their steps to themselves. */
export type Sharing = ReadonlyMap<string, number>;

/** Ordered cells below and beyond which nothing is shared: few have no room for neighbourhoods, and very many take long to choose for. */
const [fewest, most] = [8, 20_000];
/** Neighbourhoods reach over 2 cells, 4, 8 and so on, up to this part of the cells that there are, ... */
const longest = 1 / 2;
/** ... and each weighs twice as much as the one before. */
const shortest = 2;

/** What several attributes have together is rougher than each of them: there a cell alone weighs so many times as much. */
const rougher = 4;

/** An axis of a row-major table along which steps are shared. */
export interface SharedAxis {
  readonly size: number;
  /** Cells in order, from the first; those behind them, of `other` and of empty values, have no neighbours. */
  readonly ordered: number;
  /** Numbers between neighbours. */
  readonly inner: number;
  /** Weight of a cell alone. */
  readonly own: number;
}

/** Whether the cells of an attribute have neighbours to share with. */
export const canShare = (domain: Domain, name: string): boolean => {
  const attribute = attributeNamed(domain, name)!;
  if (!isOrdered(attribute)) return false;
  const ordered = valueCells(attribute.spec);
  return ordered >= fewest && ordered <= most;
};

/** What a caller tells of sharing, copied; refused where it would not be one: K must stay positive definite, and what has no order has no neighbours. */
export const checkedSharing = (domain: Domain, sharing: Sharing): Sharing => {
  for (const [name, own] of sharing) {
    if (attributeNamed(domain, name) === undefined || !canShare(domain, name))
      throw new InputError(
        `sharing: must be of ordered attributes of ${fewest} to ${most} cells, got ${JSON.stringify(name)}; leave it out`,
      );
    if (!(own >= 0 && own < Number.POSITIVE_INFINITY))
      throw new InputError(`sharing of ${JSON.stringify(name)}: must be a finite weight of at least 0, got ${own}`);
  }
  return new Map(sharing);
};

/** The axes of a table of these attributes along which steps are shared. */
export const sharedAxes = (domain: Domain, attributes: readonly string[], sharing: Sharing): SharedAxis[] => {
  const axes: SharedAxis[] = [];
  let inner = 1;
  for (const name of [...attributes].reverse()) {
    const { size, spec } = attributeNamed(domain, name)!;
    const own = sharing.get(name);
    if (own !== undefined)
      axes.push({ size, ordered: valueCells(spec), inner, own: attributes.length > 1 ? rougher * own : own });
    inner *= size;
  }
  return axes;
};

/** What is left of a number a cell further, and its weight. */
interface Neighbourhood {
  readonly decay: number;
  readonly weight: number;
}

const neighbourhoods = (ordered: number): Neighbourhood[] => {
  const list: Neighbourhood[] = [];
  for (let length = shortest; length <= longest * ordered; length *= 2)
    list.push({ decay: Math.exp(-1 / length), weight: length / shortest });
  return list;
};

const weightOf = (list: readonly Neighbourhood[], own: number): number =>
  list.reduce((sum, { weight }) => sum + weight, own);

/** How many times longer sharing along an axis can make a list of numbers at most: the largest sum of a row. */
export const mostLonger = ({ ordered, own }: SharedAxis): number => {
  const list = neighbourhoods(ordered);
  const rows = list.map(({ decay, weight }) => {
    // The middle row: cells on both sides of it, and itself.
    const side = (cells: number): number => (decay * (1 - decay ** cells)) / (1 - decay);
    const before = Math.floor((ordered - 1) / 2);
    return weight * (1 + side(before) + side(ordered - 1 - before));
  });
  return rows.reduce((sum, row) => sum + row, own) / weightOf(list, own);
};

/** The same for all axes of a table together. */
export const longerBy = (axes: readonly SharedAxis[]): number =>
  axes.reduce((product, axis) => product * mostLonger(axis), 1);

/**
 * Overwrites a table with K times it along an axis. K leaves alone what is even along the axis, which is of other attributes, and multiplies what is left, without its mean, by
 * (own I + sum over lengths L of weight exp(-|i - j| / L)) / weights, without its mean again: positive definite, since each of the terms is, and those have ones on their diagonal.
 * Two passes over the table for each length.
 */
export const shareAlong = (table: Float64Array, { size, ordered, inner, own }: SharedAxis): void => {
  const list = neighbourhoods(ordered);
  const scale = 1 / weightOf(list, own);
  const given = table.slice();
  const [carried, means] = [new Float64Array(inner), new Float64Array(inner)];
  /** Means along the axis of the numbers of a stretch, which are taken out of them. */
  const centre = (numbers: Float64Array, outer: number, sums: Float64Array): void => {
    sums.fill(0);
    for (let row = outer; row < outer + size * inner; row += inner)
      for (let i = 0; i < inner; i++) sums[i] += numbers[row + i] / size;
    for (let row = outer; row < outer + size * inner; row += inner)
      for (let i = 0; i < inner; i++) numbers[row + i] -= sums[i];
  };
  for (let outer = 0; outer < table.length; outer += size * inner) {
    const [end, last] = [outer + ordered * inner, outer + size * inner];
    centre(given, outer, means);
    for (let i = outer; i < end; i++) table[i] = scale * own * given[i];
    for (let i = end; i < last; i++) table[i] = given[i];
    for (const { decay, weight } of list) {
      const part = scale * weight;
      carried.fill(0);
      for (let row = outer; row < end; row += inner)
        for (let i = 0; i < inner; i++) {
          carried[i] = decay * carried[i] + given[row + i];
          table[row + i] += part * carried[i];
        }
      carried.fill(0);
      for (let row = end - inner; row >= outer; row -= inner)
        for (let i = 0; i < inner; i++) {
          table[row + i] += part * carried[i];
          carried[i] = decay * (carried[i] + given[row + i]);
        }
    }
    centre(table, outer, carried);
    for (let row = outer; row < last; row += inner) for (let i = 0; i < inner; i++) table[row + i] += means[i];
  }
};
