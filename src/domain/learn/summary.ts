import type { AttributeSpec, AttributeType } from '../attribute/attribute.js';
import { naturalOrder } from './natural-order.js';

/** What one value of a public column looks like. `null-text` is a word that means "empty" in a column of numbers or dates. */
export type Look = AttributeType | 'null-text';

/** A distinct text of a column. `value` is its number, such as the day number for dates, else NaN. */
export interface Entry {
  readonly text: string;
  readonly look: Look;
  readonly value: number;
  count: number;
}

/** What was seen of one column of a *public* table; memory is bounded however long the column. */
export interface ColumnSummary {
  readonly rows: number;
  /** Rows that are null, undefined, NaN, an invalid `Date` or the empty text. */
  readonly empty: number;
  /** Rows that hold a list or an object. */
  readonly nested: number;
  /** Number of non-empty rows of each look. */
  readonly looks: Readonly<Record<Look, number>>;
  /** Distinct texts with their counts: all of them unless `overflow`. */
  readonly entries: readonly Entry[];
  readonly overflow: boolean;
  /** Least and greatest finite number or day number; min > max when there was none. */
  readonly min: number;
  readonly max: number;
  /** An evenly spaced sample of the numbers, for quantiles when the distinct texts overflow. */
  readonly sample: readonly number[];
}

/** Limits of what is learned. */
export interface LearnLimits {
  /** At most this many category values; the rest go to `other`. */
  readonly maxCategories: number;
  /** About this many bins for numbers that have more distinct values than that. */
  readonly bins: number;
}

/** What was made of a column: a declaration, or nothing; and what a reader should know about it. */
export interface LearnedAttribute {
  readonly spec?: AttributeSpec | undefined;
  readonly note?: string | undefined;
}

/** Fewer rows than this cannot show that a column holds ids. */
export const ENOUGH_ROWS = 20;

/** Whether a column has values beside empty ones and null texts, and all of them look like these types. */
export const isMadeOf = ({ rows, empty, looks }: ColumnSummary, ...types: readonly AttributeType[]): boolean => {
  const content = rows - empty - looks['null-text'];
  return content > 0 && types.reduce((sum, type) => sum + looks[type], 0) === content;
};

/** Number of different texts beside null texts. */
export const distinctTexts = ({ entries, overflow }: ColumnSummary): number =>
  overflow ? Number.POSITIVE_INFINITY : entries.filter(({ look }) => look !== 'null-text').length;

/** Empty values and null texts of a column whose other values are not text. */
export const nullsOf = ({
  empty,
  looks,
  entries,
}: ColumnSummary): { null?: true | undefined; nullValues?: string[] | undefined } => {
  const texts = entries.filter(({ look, text }) => look === 'null-text' && text.trim() !== '').map(({ text }) => text);
  if (texts.length > 0) return { null: true, nullValues: texts.sort(naturalOrder) };
  return empty + looks['null-text'] > 0 ? { null: true } : {};
};
