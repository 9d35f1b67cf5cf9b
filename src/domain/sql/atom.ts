import { type Axis, isOpenCell } from './axis.js';
import { comparisonOf, type Extent, extentOf } from './comparisons.js';
import { isOpen, likeness, likePattern } from './like.js';
import type { Refuse } from './sql-error.js';
import type { Comparison, SimpleCondition, SqlLiteral } from './statement.js';

/** A condition on one attribute. Where it is neither true nor false, as for empty values, it is unknown, and so is its opposite. */
export interface Atom {
  readonly axis: Axis;
  /** Ranges from <= x < to of the axis where it is true; elsewhere on the axis it is false. */
  readonly ranges: readonly (readonly [number, number])[];
  /** For values in the cell of undeclared categories; undefined: unknown. */
  readonly other: boolean | undefined;
  /** For empty values; undefined: unknown. */
  readonly null: boolean | undefined;
}

export interface AtomOptions {
  readonly refuse: Refuse;
  /** Conditions may end within a bin: its values are then taken to spread evenly. */
  readonly withinBins: boolean;
  /** Told what an answer should be read with. */
  readonly remark: (sentence: string) => void;
}

/** What a simple condition says of its attribute, or an error with a hint. */
export const atomOf = (condition: SimpleCondition, axis: Axis, options: AtomOptions): Atom => {
  switch (condition.kind) {
    case 'null':
      return { axis, ranges: [], other: false, null: true };
    case 'true': {
      const { alone } = comparisonOf(axis);
      if (alone === undefined)
        throw options.refuse(
          condition.attribute.at,
          `${JSON.stringify(condition.attribute.name)} is no boolean and cannot be a condition on its own`,
          'compare it with a value',
        );
      return { axis, ranges: [[alone.from, alone.to]], other: undefined, null: undefined };
    }
    case 'compare': {
      const { operator, literal } = condition;
      if (operator !== '<>') return one(axis, operator, literal, options);
      const { ranges, other } = one(axis, '=', literal, options);
      return { axis, ranges: complement(ranges), other: other === undefined ? undefined : !other, null: undefined };
    }
    case 'in': {
      const each = condition.literals.map((literal) => one(axis, '=', literal, options));
      const other = each.some((atom) => atom.other === true);
      return { axis, ranges: each.flatMap(({ ranges }) => ranges), other, null: undefined };
    }
    case 'like':
      return likeAtom(condition, axis, options);
    case 'between': {
      const low = one(axis, '>=', condition.from, options);
      const high = one(axis, '<=', condition.to, options);
      return { axis, ranges: [[low.ranges[0][0], high.ranges[0][1]]], other: undefined, null: undefined };
    }
  }
};

type Like = SimpleCondition & { readonly kind: 'like' };

/** LIKE on the texts of a category. What shares the cell of undeclared values has a text that nobody kept. */
const likeAtom = (
  { attribute, pattern, escapedBy, anyCase }: Like,
  axis: Axis,
  { refuse, remark }: AtomOptions,
): Atom => {
  const name = JSON.stringify(attribute.name);
  const { unlike } = comparisonOf(axis);
  if (unlike !== undefined)
    throw refuse(
      attribute.at,
      `LIKE must be of a category, and ${name} is of type ${axis.attribute.spec.type}`,
      unlike,
    );
  if (typeof pattern.value !== 'string')
    throw refuse(pattern.at, `LIKE must have a text, got ${pattern.text}`, "for example LIKE 'a%'");
  const sign = escapedBy === undefined ? '\\' : escapedBy.value;
  if (typeof sign !== 'string' || [...sign].length > 1)
    throw refuse(escapedBy!.at, `ESCAPE must be one sign, got ${escapedBy!.text}`, "for example ESCAPE '!'");
  const signs = likePattern(pattern.value, sign);
  if (signs === undefined)
    throw refuse(
      pattern.at,
      'a pattern must not end with its sign of escape',
      `write it twice to mean itself: ${sign}${sign}`,
    );
  const isLike = likeness(signs, anyCase);
  const cells = axis.edges.length - 1;
  const found = axis.labels.map(isLike);
  const ranges = [...found.keys()].flatMap((cell): [number, number][] =>
    found[cell] && cell < cells ? [[axis.edges[cell], axis.edges[cell + 1]]] : [],
  );
  if (axis.other < 0) {
    if (ranges.length === 0) remark(`no value of ${name} is like ${pattern.text}`);
    return { axis, ranges, other: undefined, null: undefined };
  }
  // Like = of the label of the shared cell; a pattern that leaves nothing open is no undeclared text for certain.
  const other = found[axis.other] ? true : isOpen(signs) ? undefined : false;
  if (other === undefined)
    remark(
      `values of ${name} that share ${JSON.stringify(axis.labels[axis.other])} are left out: their texts are not known, so LIKE is neither true nor false of them`,
    );
  return { axis, ranges, other, null: undefined };
};

/** Tells of a condition that reaches beyond what the schema declares: its answer there is not about the data. */
const remarkOutside = (
  { edges, labels, attribute }: Axis,
  operator: Comparison,
  [from, to]: readonly [number, number],
  literal: SqlLiteral,
  { remark }: AtomOptions,
): void => {
  const [first, last] = [edges[0], edges[edges.length - 1]];
  const cuts = operator === '=' ? [] : [from, to].filter(Number.isFinite);
  const isBeyond = cuts.some((cut) => cut < first || cut > last);
  const isNowhere = operator === '=' && from === to ? from < first || from > last : to <= first || from >= last;
  if (!isBeyond && !isNowhere) return;
  const name = JSON.stringify(attribute.name);
  remark(
    `${name} goes from ${labels[0]} to ${labels[edges.length - 2]} in the schema of the release, and ${operator} ${literal.text} ${isNowhere ? 'lies' : 'reaches'} beyond: nothing is known there, since values outside were counted in the first or last cell`,
  );
};

/** The line without some ranges. */
const complement = (ranges: Atom['ranges']): [number, number][] => {
  const rest: [number, number][] = [];
  let at = -Infinity;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (from > at) rest.push([at, from]);
    at = Math.max(at, to);
  }
  if (at < Infinity) rest.push([at, Infinity]);
  return rest;
};

const one = (axis: Axis, operator: Exclude<Comparison, '<>'>, literal: SqlLiteral, options: AtomOptions): Atom => {
  const { refuse } = options;
  const name = JSON.stringify(axis.attribute.name);
  const extent: Extent = extentOf(axis, literal, refuse);
  const inequality = operator !== '=';
  if (inequality && (!axis.ordered || extent === 'other'))
    throw refuse(literal.at, `${name} has no order that ${operator} could mean`, comparisonOf(axis).unordered);
  if (extent === 'other') return { axis, ranges: [], other: true, null: undefined };
  const { from, to } = extent;
  const range = {
    '=': [from, to],
    '<': [-Infinity, from],
    '<=': [-Infinity, to],
    '>': [to, Infinity],
    '>=': [from, Infinity],
  }[operator] as [number, number];
  if (axis.continuous && from === to) checkPoint(axis, operator, from, literal, options);
  for (const cut of range) checkCut(axis, cut, literal, options);
  remarkOutside(axis, operator, range, literal, options);
  // Undeclared categories are unequal to every declared one, and stand in no order.
  return { axis, ranges: [range], other: inequality ? undefined : false, null: undefined };
};

/** Bins hold their lower end and not their upper one, so of any number <= is not <, and = is next to nothing. */
const checkPoint = (
  { edges, declared, attribute }: Axis,
  operator: Comparison,
  x: number,
  literal: SqlLiteral,
  { refuse, withinBins }: AtomOptions,
): void => {
  if (x < edges[0] || x > edges[edges.length - 1]) return;
  const name = JSON.stringify(attribute.name);
  if (operator === '=')
    throw refuse(literal.at, `${name} is known by bins and no single number has one`, 'ask for a range of numbers');
  if (withinBins || !edges.includes(x)) return;
  // The last bin holds its upper end too, also before an open end.
  const last = x === declared[1];
  if ((operator === '<' || operator === '>=') !== last) return;
  const instead = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '<>': '<' }[operator];
  throw refuse(literal.at, `${name} ${operator} ${x} would divide the bin that ${last ? 'ends' : 'begins'} with ${x}`, {
    kind: 'within-bins',
    instead: `write ${instead} ${x}`,
  });
};

/** Refuses to divide a bin, or tells what is assumed of one that is open. */
const checkCut = (axis: Axis, cut: number, literal: SqlLiteral, { refuse, remark, withinBins }: AtomOptions): void => {
  const { edges, attribute } = axis;
  const last = edges.length - 1;
  if (cut <= edges[0] || cut >= edges[last]) return;
  let cell = 0;
  while (edges[cell + 1] <= cut) cell++;
  if (edges[cell] === cut) return;
  if (withinBins) {
    if (isOpenCell(axis, cell))
      remark(
        `of ${JSON.stringify(attribute.name)} nothing more is known than ${axis.labels[cell]} where ${literal.text} lies: values there are taken to spread evenly as far as the cell beside them is wide`,
      );
    return;
  }
  throw refuse(
    literal.at,
    `${JSON.stringify(attribute.name)} is not known more finely than by its bins, and ${literal.text} divides one`,
    { kind: 'within-bins', instead: `ask for the whole of ${comparisonOf(axis).cellText(axis, cell)}` },
  );
};
