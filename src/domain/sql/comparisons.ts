import type { AttributeSpec, AttributeType, NumericSpec, SpecOf } from '../attribute/attribute.js';
import { dayNumber, dayOfNumber, isoDay, parseDay } from '../attribute/calendar.js';
import { BOOLEAN_TEXTS } from '../attribute/kinds/boolean.js';
import { plainNumber } from '../attribute/plain-number.js';
import { type Axis, isOpenCell } from './axis.js';
import { meant, type Refuse } from './sql-error.js';
import type { SqlLiteral } from './statement.js';

/** Values from <= x < to of an axis. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The values that a literal stands for; `other` for the cell of undeclared categories. */
export type Extent = Stretch | 'other';

/** What SQL may say of one type of attribute. */
interface Comparison<S> {
  /** Where a literal lies on the axis, or undefined. */
  extent(axis: Axis, literal: SqlLiteral, spec: S): Extent | undefined;
  /** What to write instead of a literal that is none of its values. */
  hint(axis: Axis, literal: SqlLiteral, spec: S): string;
  /** What to write where < and > mean nothing. */
  unordered: string;
  /** What the attribute means as a condition on its own; undefined where it means nothing. */
  alone: Stretch | undefined;
  /** What to write instead of LIKE; undefined where values are texts. */
  unlike: string | undefined;
  /** What the least and the middle of its values are; undefined where they have neither. */
  ranked: 'number' | 'date' | undefined;
  /** What a literal that is none of its values is told. */
  unknown(name: string, literal: SqlLiteral): string;
  /** A cell in words. */
  cellText(axis: Axis, cell: number): string;
}

const unknown =
  (expected: string) =>
  (name: string, { text }: SqlLiteral): string =>
    `${name} must be compared with ${expected}, got ${text}`;

const stretchOf = ({ edges }: Axis, cell: number): Stretch => ({ from: edges[cell], to: edges[cell + 1] });

/** The texts by which a literal may be listed. */
const textsOf = ({ value, text }: SqlLiteral): string[] =>
  typeof value === 'number' ? [text, String(value)] : [String(value)];

/** The cell that is called like a literal. */
const named = (axis: Axis, literal: SqlLiteral): Stretch | undefined => {
  const cell = textsOf(literal)
    .map(axis.labelled)
    .find((found) => found >= 0);
  return cell === undefined ? undefined : stretchOf(axis, cell);
};

const numbers: Comparison<NumericSpec> = {
  extent: (axis, literal) => {
    const { value } = literal;
    // What a grouped answer calls a cell may be asked for again, numbers aside: 30 is a number, '30-39' is a label.
    const cell = typeof value === 'number' ? undefined : named(axis, literal);
    if (cell !== undefined) return cell;
    const x = typeof value === 'number' ? value : typeof value === 'string' ? plainNumber(value) : undefined;
    if (x === undefined) return undefined;
    if (axis.continuous) return { from: x, to: x };
    return Number.isInteger(x) ? { from: x, to: x + 1 } : { from: Math.ceil(x), to: Math.ceil(x) };
  },
  unknown: unknown('a number'),
  hint: ({ labels, edges }) => `it goes from ${labels[0]} to ${labels[edges.length - 2]}`,
  unordered: 'use =, <> or IN',
  alone: undefined,
  unlike: 'use <, > or BETWEEN',
  ranked: 'number',
  cellText: (axis, cell) => (isOpenCell(axis, cell) ? openText(axis, cell) : binText(axis, cell)),
};

/** An open end in words. */
const openText = ({ labels }: Axis, cell: number): string => `what is ${labels[cell]}`;

const binText = ({ edges, labels, continuous }: Axis, cell: number): string =>
  `the bin ${labels[cell]}, from ${edges[cell]} ${continuous ? 'to below' : 'to'} ${edges[cell + 1] - (continuous ? 0 : 1)}`;

const comparisons: { readonly [T in AttributeType]: Comparison<SpecOf<T>> } = {
  category: {
    extent: (axis, literal, { other }) =>
      named(axis, literal) ?? (other !== undefined && textsOf(literal).includes(other) ? 'other' : undefined),
    unknown: (name, { text }) => `${name} has no such value, got ${text}`,
    hint: (_, literal, { values, other }) => {
      const rest = other === undefined ? '' : `; values that are not listed share ${JSON.stringify(other)}`;
      return `${meant(textsOf(literal)[0], values, 'it has')}${rest}`;
    },
    unordered: 'use =, <> or IN; a schema can declare a category ordered',
    alone: undefined,
    unlike: undefined,
    ranked: undefined,
    cellText: ({ labels }, cell) => labels[cell],
  },
  boolean: {
    extent: (axis, literal) => {
      const cell = BOOLEAN_TEXTS.get(textsOf(literal)[0].toLowerCase());
      return cell === undefined ? undefined : stretchOf(axis, cell);
    },
    unknown: unknown('TRUE or FALSE'),
    hint: () => 'write TRUE or FALSE',
    unordered: 'use =, <> or IN',
    alone: { from: 1, to: 2 },
    unlike: 'write TRUE or FALSE',
    ranked: 'number',
    cellText: ({ labels }, cell) => labels[cell],
  },
  integer: numbers,
  number: numbers,
  date: {
    extent: (axis, literal) => {
      const day = typeof literal.value === 'string' ? parseDay(literal.value) : undefined;
      return day === undefined ? named(axis, literal) : { from: dayNumber(day), to: dayNumber(day) + 1 };
    },
    unknown: unknown('a date'),
    hint: ({ declared: [first], edges, labels }) =>
      `write a day such as '${isoDay(dayOfNumber(first))}' or a period such as '${labels[edges.indexOf(first)]}', in quotes`,
    unordered: 'use =, <> or IN',
    alone: undefined,
    unlike: 'use <, > or BETWEEN, or a period',
    ranked: 'date',
    cellText: (axis, cell) => (isOpenCell(axis, cell) ? openText(axis, cell) : `the period ${axis.labels[cell]}`),
  },
};

/** What SQL may say of an attribute. */
export const comparisonOf = ({ attribute: { spec } }: Axis): Comparison<AttributeSpec> =>
  comparisons[spec.type] as Comparison<AttributeSpec>;

/** Where a literal lies on the axis, or an error that says what the attribute has. */
export const extentOf = (axis: Axis, literal: SqlLiteral, refuse: Refuse): Extent => {
  const { spec, name } = axis.attribute;
  const quoted = JSON.stringify(name);
  if (axis.null >= 0 && typeof literal.value === 'string' && (spec.nullValues ?? []).includes(literal.value))
    throw refuse(literal.at, `${literal.text} stands for an empty value of ${quoted}`, 'write IS NULL');
  const { extent, unknown, hint } = comparisonOf(axis);
  const found = extent(axis, literal, spec);
  if (found !== undefined) return found;
  throw refuse(literal.at, unknown(quoted, literal), hint(axis, literal, spec));
};
