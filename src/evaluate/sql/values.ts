import { type Axis, standsFor, withinReach } from '../../domain/sql/axis.js';
import type { SqlName, Value, ValueOf } from '../../domain/sql/statement.js';
import type { Piece } from './selection.js';

/** The values that an argument of an aggregate can have, each by its place in a list: constants, and pieces of attributes. */
export interface Values {
  /** A place holds the values from <= x < to; a constant from = to. NaN where there is no number. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** What stands for each in sums. */
  readonly mean: Float64Array;
  /** Whether values are whole numbers: then the last one of a place is `to` - 1. */
  readonly whole: boolean;
}

/** Where a value of a record is found: a place of the list; of an attribute the first of several, one for each of its pieces. */
export interface Source {
  readonly place: number;
  readonly attribute?: number | undefined;
}

/** An argument laid out: its values, and for each branch of it where they are; undefined for NULL. */
export interface Layout {
  readonly values: Values;
  readonly sources: readonly (Source | undefined)[];
}

export const branchesOf = (of: ValueOf): readonly Value[] =>
  of.kind === 'case' ? [...of.branches.map(({ gives }) => gives), of.otherwise] : [of];

const numberOf = (value: string | number | boolean): number => (typeof value === 'string' ? Number.NaN : Number(value));

/** The values of an argument, those of an attribute once, however many branches name it. */
export const layoutOf = (
  of: ValueOf,
  axes: readonly Axis[],
  find: (name: SqlName) => number,
  pieces: (attribute: number) => readonly Piece[],
): Layout => {
  const [from, to, mean]: number[][] = [[], [], []];
  const places = new Map<number, number>();
  let whole = false;
  const sources = branchesOf(of).map((branch): Source | undefined => {
    if (branch.kind === 'null') return undefined;
    if (branch.kind === 'constant') {
      const value = numberOf(branch.value);
      for (const list of [from, to, mean]) list.push(value);
      return { place: from.length - 1 };
    }
    const attribute = find(branch);
    if (!places.has(attribute)) {
      places.set(attribute, from.length);
      whole = !axes[attribute].continuous;
      for (const piece of pieces(attribute)) {
        const [start, end] = Number.isNaN(piece.from)
          ? [Number.NaN, Number.NaN]
          : withinReach(axes[attribute], piece.from, piece.to);
        from.push(start);
        to.push(end);
        mean.push(Number.isNaN(start) ? Number.NaN : (standsFor(axes[attribute], start, end) ?? Number.NaN));
      }
    }
    return { place: places.get(attribute)!, attribute };
  });
  const list = (numbers: readonly number[]): Float64Array => Float64Array.from(numbers);
  return { values: { from: list(from), to: list(to), mean: list(mean), whole }, sources };
};
