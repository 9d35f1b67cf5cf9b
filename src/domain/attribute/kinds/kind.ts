import type * as v from 'valibot';
import type { Random } from '../../../random/random.js';
import type { ColumnSummary, LearnedAttribute, LearnLimits } from '../../learn/summary.js';
import type { AttributeSpec, CommonSpec } from '../attribute.js';

/** A value as it is written to a synthetic table: a category's text, a number, true or false, an ISO day, or null. */
export type CellValue = string | number | boolean | null;

/** The cell of a value, or a negative number that says why it has none. Never throws, so that the caller can name the column and the row. */
export type Encoder = (value: unknown) => number;

/** Cells for the values that an attribute does not name; below 0 where such a value stops the run. */
export interface OutsideCells {
  /** Of empty values. */
  readonly empty: number;
  /** Of a text that is not listed, or cannot be read as what the attribute holds; of a fraction among integers. */
  readonly unknown: number;
  /** Of values beyond the first and the last bin, where values have an order: the open ends, where there are any. */
  readonly below: number;
  readonly above: number;
}

/** Draws values from cells that hold several; in between a value is a number, such as that of a day. */
export interface Drawing {
  /** A value of a cell, uniformly; of an open end, of as far as it is taken to reach (`Line.reach`). */
  draw(cell: number): number;
  write(value: number): CellValue;
  /** The inverse of `write` for any encodable value; undefined where it lies outside the declared bounds, or is not finite. */
  read(value: unknown): number | undefined;
}

/**
 * The cells of an attribute as stretches of a line, so that conditions on it are ranges: of numbers, of days, or of the positions of its
 * values.
 */
export interface Line<S> {
  /** Value cell i holds edges[i] <= x < edges[i + 1]; open ends are infinite. */
  edges(spec: S): Float64Array;
  /** How far open ends are taken to reach where a number is needed, from <= x < to; absent where there are none. */
  reach?(spec: S): readonly [from: number, to: number];
  /** What is counted along the line, in the plural; absent where numbers stand for themselves. */
  readonly unit?: string | undefined;
  /** Whether a value may be any number: then a single one is a point without width. */
  readonly continuous: boolean;
  /** The number that stands for the values from <= x < to in sums and averages; undefined where they are no numbers. */
  mean(from: number, to: number): number | undefined;
}

/**
 * All that the core knows of one type of attribute. Value cells are those of declared values or bins: cells for undeclared and for empty
 * values come after them and are the same for every kind. Every `spec` but that of `check` has been checked.
 */
export interface AttributeKind<S extends AttributeSpec = AttributeSpec> {
  /** What its values are, for people: "numbers". */
  readonly title: string;
  /** The form of its own keys in a schema file. */
  readonly entries: { readonly [K in Exclude<keyof S, keyof CommonSpec | 'type'>]-?: v.GenericSchema<unknown, S[K]> };
  /** Calls `fail` with a sentence when a well-formed declaration contradicts itself. */
  check(spec: S, fail: (text: string) => never): void;
  /** The declared values in a few words. */
  describe(spec: S): string;

  /** Number of value cells. */
  cells(spec: S): number;
  /** What to call each value cell. */
  labels(spec: S): string[];
  /** The label of the cell for undeclared values, where it has one. */
  other(spec: S): string | undefined;
  /**
   * `ordered`: the order of the value cells means something, so that prefixes and ranges make sense; `fixed`: they are always told in
   * the same order, such as no and yes; `free`: neither.
   */
  order(spec: S): 'ordered' | 'fixed' | 'free';
  /** The value of each cell, where every cell stands for one value alone; undefined for open ends. */
  single(spec: S): ((cell: number) => CellValue | undefined) | undefined;
  readonly line: Line<S>;

  encoder(spec: S, outside: OutsideCells): Encoder;
  /** Why a value has no cell, and what to do about it. */
  readonly undeclared: string;
  /** The declaration with a cell for every value that it does not name. */
  widen(spec: S): S;
  /** The declaration with nothing beyond its ends; absent where there is no such thing. */
  close?(spec: S): S;
  /** Undefined where cells are always `single` values. */
  drawing(spec: S, random: Random): Drawing | undefined;
  /** The declaration with other names for the values that rows hold as free text. */
  mapTexts(spec: S, map: (text: string) => string): S;

  /**
   * Whether a text of a public column looks like a value of this type, and so of no other: its number on the line, NaN for none;
   * undefined where it does not.
   */
  recognise(text: string): number | undefined;
  /** The declaration for a column of a *public* table; undefined where the column looks like another type's. */
  learn(name: string, summary: ColumnSummary, limits: LearnLimits): LearnedAttribute | undefined;
}

/** The declaration with a cell for empty values, which then takes values that cannot be read as well. */
export const withNull = <S extends AttributeSpec>(spec: S): S => (spec.null === true ? spec : { ...spec, null: true });

/** Texts that mean "empty": where spaces mean nothing in values, they mean nothing in these. */
export const nullTexts = (spec: AttributeSpec): ReadonlySet<string> =>
  new Set(['', ...(spec.nullValues ?? []).map((text) => text.trim())]);

/** A text within a sentence. */
export const quote = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
