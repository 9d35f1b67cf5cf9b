import { type Atom, type AtomOptions, atomOf } from '../../domain/sql/atom.js';
import { type Axis, withinReach } from '../../domain/sql/axis.js';
import type { HomeCondition, SqlName } from '../../domain/sql/statement.js';
import { bitsOf } from './bits.js';
import { type Box, intersection, union } from './boxes.js';

/** A part of a cell that conditions do not divide. */
export interface Piece {
  readonly cell: number;
  /** The values it holds, from <= x < to; NaN for cells that are off the axis. */
  readonly from: number;
  readonly to: number;
  /** Its part of the cell's values, 0 to 1, if these spread evenly. */
  readonly share: number;
}

/** The records that conditions select, as disjoint products of pieces of attributes; the conditions of a statement share their pieces. */
export interface Selector {
  /** The pieces of an attribute, in the order of the bits of a box: those of its cells, ascending. */
  readonly pieces: (attribute: number) => readonly Piece[];
  /** All pieces of an attribute, as bits. */
  readonly all: (attribute: number) => bigint;
  /** The records of which a condition is true; all records without one. */
  readonly region: (condition: HomeCondition | undefined) => readonly Box[];
}

/** How much of the axis lies between, as far as it is taken to go. */
const widthOf = (axis: Axis, from: number, to: number): number => {
  const [start, end] = withinReach(axis, from, to);
  return end - start;
};

const cut = (axis: Axis, atoms: readonly Atom[]): Piece[] => {
  const { edges } = axis;
  const cuts = [...new Set(atoms.flatMap(({ ranges }) => ranges.flat()))].sort((a, b) => a - b);
  const pieces: Piece[] = [];
  // Cells and cuts ascend together: one pass over both.
  let next = 0;
  for (let cell = 0; cell + 1 < edges.length; cell++) {
    const ends = [edges[cell]];
    while (next < cuts.length && cuts[next] <= edges[cell]) next++;
    while (next < cuts.length && cuts[next] < edges[cell + 1]) ends.push(cuts[next++]);
    ends.push(edges[cell + 1]);
    const whole = widthOf(axis, edges[cell], edges[cell + 1]);
    for (let i = 0; i + 1 < ends.length; i++) {
      const share = ends.length === 2 ? 1 : widthOf(axis, ends[i], ends[i + 1]) / whole;
      pieces.push({ cell, from: ends[i], to: ends[i + 1], share });
    }
  }
  for (const cell of [axis.other, axis.null])
    if (cell >= 0) pieces.push({ cell, from: Number.NaN, to: Number.NaN, share: 1 });
  return pieces;
};

/** The pieces where an atom, or with `negated` its opposite, is true. */
const truth = ({ axis, ranges, other, null: empty }: Atom, pieces: readonly Piece[], negated: boolean): bigint => {
  // Pieces on the axis ascend, so of the ranges that begin before one it is enough to know how far the farthest goes.
  const ascending = [...ranges].sort((a, b) => a[0] - b[0]);
  let [next, farthest] = [0, -Infinity];
  return bitsOf(
    pieces.map(({ cell, from, to }) => {
      if (cell === axis.null || cell === axis.other) {
        const known = cell === axis.null ? empty : other;
        return known !== undefined && known !== negated;
      }
      while (next < ascending.length && ascending[next][0] <= from) farthest = Math.max(farthest, ascending[next++][1]);
      return to <= farthest !== negated;
    }),
  );
};

/**
 * Turns conditions into disjoint boxes by SQL's rules: an empty value makes a comparison unknown, and its negation too. Negations are
 * moved inwards (de Morgan), which those rules allow. `conditions` are all that will be asked for: they cut the attributes into pieces.
 */
export const selectorOf = (
  conditions: readonly HomeCondition[],
  axes: readonly Axis[],
  find: (name: SqlName) => number,
  options: AtomOptions,
): Selector => {
  const atoms = new Map<HomeCondition, { readonly attribute: number; readonly atom: Atom }>();
  const cutters = new Map<number, Atom[]>();
  const visit = (part: HomeCondition): void => {
    if ('parts' in part) part.parts.forEach(visit);
    else if (part.kind === 'not') visit(part.of);
    else if (part.kind === 'holds') throw new Error('a plan of rows met a condition on households');
    else {
      const attribute = find(part.attribute);
      const atom = atomOf(part, axes[attribute], options);
      atoms.set(part, { attribute, atom });
      if (!cutters.has(attribute)) cutters.set(attribute, []);
      cutters.get(attribute)!.push(atom);
    }
  };
  conditions.forEach(visit);
  const known = new Map<number, readonly Piece[]>();
  const pieces = (attribute: number): readonly Piece[] => {
    const found = known.get(attribute) ?? cut(axes[attribute], cutters.get(attribute) ?? []);
    known.set(attribute, found);
    return found;
  };
  const all = (attribute: number): bigint => (1n << BigInt(pieces(attribute).length)) - 1n;

  const boxesOf = (part: HomeCondition, negated: boolean): readonly Box[] => {
    if (part.kind === 'not') return boxesOf(part.of, !negated);
    if ('parts' in part) {
      const each = part.parts.map((inner) => boxesOf(inner, negated));
      const together =
        (part.kind === 'and') === negated ? (a: readonly Box[], b: readonly Box[]) => union(a, b, all) : intersection;
      return each.reduce((joined, own) => together(joined, own));
    }
    const { attribute, atom } = atoms.get(part)!;
    const bits = truth(atom, pieces(attribute), negated);
    return bits === 0n ? [] : [new Map([[attribute, bits]])];
  };
  return { pieces, all, region: (condition) => (condition === undefined ? [new Map()] : boxesOf(condition, false)) };
};
