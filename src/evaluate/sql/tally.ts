import type { Domain } from '../../domain/domain.js';
import { InputError } from '../../domain/input-error.js';
import { limits } from '../../domain/limits.js';
import type { Answering } from '../../model/model.js';
import type { Block } from '../../query/block/block.js';
import type { FactoredQuery, Query } from '../../query/query.js';
import { flagsOf } from './bits.js';
import type { Box } from './boxes.js';
import type { Selector } from './selection.js';
import type { Source, Values } from './values.js';

/** Told of records: how many, of which group, and with which values of the arguments (by their places). */
export type Visit = (group: number, weight: number, first: number, second: number) => void;

/** What an aggregate adds up: the records of each group by the values of its arguments, those without a value left out. */
export interface Tally {
  readonly values: readonly Values[];
  readonly walk: (model: Answering, visit: Visit) => void;
  /** Cells that a model is asked for. */
  readonly work: number;
  /** The one query that the plain numbers of records answer, if there is one. */
  readonly measured: Query | undefined;
}

/** A factored query, and by how much its answers count. */
interface Term {
  readonly factor: number;
  readonly query: FactoredQuery;
}

/** Records of one CASE group and one branch of each argument. */
export interface Part {
  readonly boxes: readonly Box[];
  /** The number of the first of its groups. */
  readonly firstGroup: number;
  readonly sources: readonly Source[];
}

/** For each piece of an attribute, the part of its cell's records that a box selects. */
const partsOf = (box: Box, attribute: number, { pieces }: Selector): Float64Array => {
  const bits = box.get(attribute);
  const isIn = bits === undefined ? () => true : flagsOf(bits);
  return Float64Array.from(pieces(attribute), ({ share }, i) => (isIn(i) ? share : 0));
};

/** For each cell of an attribute, the part of its records that a box selects. */
const sharesOf = (box: Box, attribute: number, selector: Selector, size: number): Float64Array => {
  const shares = new Float64Array(size);
  const parts = partsOf(box, attribute, selector);
  selector.pieces(attribute).forEach(({ cell }, i) => {
    shares[cell] += parts[i];
  });
  return shares;
};

/** Shares add up to 1 but for rounding. */
const isWhole = (share: number): boolean => share > 1 - 1e-9;

/**
 * The queries whose answers, row-major over the cells of `kept`, add up to the records of a box, before the box's own shares of kept cells. Cells
 * that a box selects in part are queries of their own, with that part as factor.
 */
const termsOf = (box: Box, selector: Selector, domain: Domain, kept: readonly number[]): Term[] => {
  let terms: { factor: number; blocks: [number, Block][] }[] = [
    { factor: 1, blocks: kept.map((a) => [a, { kind: 'keep' }]) },
  ];
  for (const attribute of box.keys()) {
    if (kept.includes(attribute)) continue;
    const shares = sharesOf(box, attribute, selector, domain.attributes[attribute].size);
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

/** What is needed to tell the records of parts apart. */
export interface TallyContext {
  readonly domain: Domain;
  readonly selector: Selector;
  /** Positions of the grouping attributes. */
  readonly groups: readonly number[];
  /** The cell of empty values of an attribute, or -1. */
  readonly empty: (attribute: number) => number;
}

/** The attributes of a part's arguments that are no groups: they are asked for beside these. */
const besides = ({ sources }: Part, groups: readonly number[]): number[] => [
  ...new Set(
    sources.flatMap(({ attribute }) => (attribute === undefined || groups.includes(attribute) ? [] : [attribute])),
  ),
];

/** Adds up records box by box, by a model's answers to factored queries. */
export const tallyOf = (parts: readonly Part[], values: readonly Values[], context: TallyContext): Tally => {
  const { domain, selector, groups } = context;
  const sizeOf = (attributes: readonly number[]): number =>
    attributes.reduce((product, attribute) => product * domain.attributes[attribute].size, 1);
  return {
    values,
    work: parts.reduce((all, part) => all + part.boxes.length * sizeOf([...groups, ...besides(part, groups)]), 0),
    walk: (model, visit) => {
      for (const part of parts) for (const box of part.boxes) walkBox(model, box, part, context, visit);
    },
    get measured() {
      // Noise bounds whole cells of measured marginals: one box, with no cell divided and no group outside.
      if (parts.length !== 1 || parts[0].boxes.length !== 1 || values.length > 0) return undefined;
      const terms = termsOf(parts[0].boxes[0], selector, domain, groups);
      const divided = groups.some((group) => selector.pieces(group).length > domain.attributes[group].size);
      return terms.length === 1 && terms[0].factor === 1 && !divided ? terms[0].query : undefined;
    },
  };
};

/** The pieces of each cell of an attribute that may be told, with their parts of the cell. */
interface Pieces {
  readonly first: Int32Array;
  readonly parts: Float64Array;
}

const piecesIn = (box: Box, attribute: number, { selector, domain, empty }: TallyContext): Pieces => {
  const pieces = selector.pieces(attribute);
  const parts = partsOf(box, attribute, selector);
  const first = new Int32Array(domain.attributes[attribute].size + 1);
  for (const { cell } of pieces) first[cell + 1]++;
  for (let cell = 1; cell < first.length; cell++) first[cell] += first[cell - 1];
  pieces.forEach(({ cell }, i) => {
    if (cell === empty(attribute)) parts[i] = 0;
  });
  return { first, parts };
};

/** Tells of every cell of a box that holds anybody: of each of its pieces, where an argument is of the attribute. */
const walkBox = (model: Answering, box: Box, part: Part, context: TallyContext, visit: Visit): void => {
  const { domain, selector, groups } = context;
  const kept = [...groups, ...besides(part, groups)];
  const sizes = kept.map((attribute) => domain.attributes[attribute].size);
  const answers = new Float64Array(sizes.reduce((product, size) => product * size, 1));
  for (const { factor, query } of termsOf(box, selector, domain, kept))
    model.answer(query).forEach((answer, i) => {
      answers[i] += factor * answer;
    });
  const told = [...new Set(part.sources.flatMap(({ attribute }) => (attribute === undefined ? [] : [attribute])))];
  const [a, b] = told.map((attribute) => piecesIn(box, attribute, context));
  const [axisA, axisB] = told.map((attribute) => kept.indexOf(attribute));
  // The others' pieces are summed: what is left of a cell.
  const shares = kept.map((attribute, axis) =>
    told.includes(attribute) ? undefined : sharesOf(box, attribute, selector, sizes[axis]),
  );
  const placeIn = (source: Source | undefined): ((i: number, j: number) => number) => {
    if (source === undefined) return () => 0;
    const { place, attribute } = source;
    if (attribute === undefined) return () => place;
    return attribute === told[0] ? (i) => place + i : (_, j) => place + j;
  };
  const [first, second] = [placeIn(part.sources[0]), placeIn(part.sources[1])];
  const inner = sizes.slice(groups.length).reduce((product, size) => product * size, 1);
  const cells = new Int32Array(kept.length);
  answers.forEach((answer, index) => {
    if (answer === 0) return;
    let weight = answer;
    for (let axis = kept.length - 1, rest = index; axis >= 0; axis--) {
      cells[axis] = rest % sizes[axis];
      weight *= shares[axis]?.[cells[axis]] ?? 1;
      rest = Math.floor(rest / sizes[axis]);
    }
    if (weight === 0) return;
    const group = part.firstGroup + Math.floor(index / inner);
    if (a === undefined) {
      visit(group, weight, first(0, 0), second(0, 0));
      return;
    }
    for (let i = a.first[cells[axisA]]; i < a.first[cells[axisA] + 1]; i++) {
      if (a.parts[i] === 0) continue;
      if (b === undefined) visit(group, weight * a.parts[i], first(i, 0), second(i, 0));
      else
        for (let j = b.first[cells[axisB]]; j < b.first[cells[axisB] + 1]; j++)
          if (b.parts[j] > 0) visit(group, weight * a.parts[i] * b.parts[j], first(i, j), second(i, j));
    }
  });
};
