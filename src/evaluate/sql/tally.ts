import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { limits } from '../../domain/limits.js';
import type { Answering } from '../../model/model.js';
import type { Block } from '../../query/block/block.js';
import type { FactoredQuery } from '../../query/query.js';
import { type Axis, standsFor } from './axis.js';
import { flagsOf } from './bits.js';
import type { Box } from './boxes.js';
import type { Piece, Selection } from './selection.js';

/** A factored query, and by how much its answers count. */
export interface Term {
  readonly factor: number;
  readonly query: FactoredQuery;
}

/** What is added up of the records of a group: their number, that of those where an attribute is not empty, or the attribute itself. */
export interface Measure {
  readonly kind: 'records' | 'filled' | 'sum';
  /** Position of the attribute; for `records` there is none. */
  readonly attribute?: number | undefined;
}

/** For each cell of an attribute, the part that a box selects of it. */
const sharesOf = (
  box: Box,
  attribute: number,
  pieces: readonly Piece[],
  size: number,
  of = (_: Piece) => 1,
): Float64Array => {
  const bits = box.get(attribute);
  const shares = new Float64Array(size);
  const isIn = bits === undefined ? () => true : flagsOf(bits);
  pieces.forEach((piece, i) => {
    if (isIn(i)) shares[piece.cell] += piece.share * of(piece);
  });
  return shares;
};

/** Shares add up to 1 but for rounding. */
const isWhole = (share: number): boolean => share > 1 - 1e-9;

/**
 * The queries whose answers, row-major over the cells of `kept`, add up to the records of a box, before the box's own shares of kept cells. Cells
 * that a box selects in part are queries of their own, with that part as factor.
 */
export const termsOf = (box: Box, selection: Selection, domain: Domain, kept: readonly number[]): Term[] => {
  let terms: { factor: number; blocks: [number, Block][] }[] = [
    { factor: 1, blocks: kept.map((a) => [a, { kind: 'keep' }]) },
  ];
  for (const attribute of box.keys()) {
    if (kept.includes(attribute)) continue;
    const shares = sharesOf(box, attribute, selection.pieces(attribute), domain.attributes[attribute].size);
    const cells = [...shares.keys()].filter((cell) => isWhole(shares[cell]));
    const parts = [...shares.keys()].filter((cell) => shares[cell] > 0 && !isWhole(shares[cell]));
    if (cells.length === shares.length) continue;
    const next = terms.length * (parts.length + (cells.length > 0 ? 1 : 0));
    if (next > limits.sqlBoxes)
      throw new InputError(
        `SQL: conditions that end within bins must fall into at most ${limits.sqlBoxes} products of whole and divided bins, got ${next}; end fewer of them within a bin`,
      );
    terms = terms.flatMap(({ factor, blocks }) => [
      ...(cells.length > 0
        ? [{ factor, blocks: [...blocks, [attribute, { kind: 'set', cells }]] as typeof blocks }]
        : []),
      ...parts.map((cell) => ({
        factor: factor * shares[cell],
        blocks: [...blocks, [attribute, { kind: 'value', cell }]] as typeof blocks,
      })),
    ]);
  }
  return terms.map(({ factor, blocks }) => ({
    factor,
    query: {
      kind: 'factored',
      factors: blocks.map(([attribute, block]) => ({ attribute: domain.attributes[attribute].name, block })),
    },
  }));
};

/** The measure of the selected records in every group, row-major over the cells of the grouping attributes. */
export const tally = (
  model: Answering,
  selection: Selection,
  axes: readonly Axis[],
  groups: readonly number[],
  { kind, attribute }: Measure,
): Float64Array => {
  const { domain } = model;
  const outer = attribute === undefined || groups.includes(attribute) ? groups : [...groups, attribute];
  const sizes = outer.map((a) => domain.attributes[a].size);
  const total = groups.reduce((product, a) => product * domain.attributes[a].size, 1);
  const sums = new Float64Array(total);
  const weigh =
    (of: number) =>
    (piece: Piece): number => {
      if (of !== attribute || kind === 'records') return 1;
      if (kind === 'filled') return piece.cell === axes[of].null ? 0 : 1;
      return Number.isNaN(piece.from) ? 0 : standsFor(axes[of], piece.from, piece.to)!;
    };
  for (const box of selection.boxes) {
    const answers = new Float64Array(sizes.reduce((product, size) => product * size, 1));
    for (const { factor, query } of termsOf(box, selection, domain, outer))
      model.answer(query).forEach((answer, i) => {
        answers[i] += factor * answer;
      });
    // The shares of kept cells, one axis after the other; an attribute that is no group is the last axis, and summed out.
    const shares = outer.map((a, i) => sharesOf(box, a, selection.pieces(a), sizes[i], weigh(a)));
    const inner = outer.length > groups.length ? sizes[sizes.length - 1] : 1;
    answers.forEach((answer, i) => {
      if (answer === 0) return;
      let value = answer;
      for (let axis = outer.length - 1, rest = i; axis >= 0; axis--) {
        value *= shares[axis][rest % sizes[axis]];
        rest = Math.floor(rest / sizes[axis]);
      }
      sums[Math.floor(i / inner)] += value;
    });
  }
  return sums;
};
