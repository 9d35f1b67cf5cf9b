/**
 * How an engine spells what the cells of attributes are made of. Every member is a function from SQL expressions to an SQL expression; each must be right for
 * every value that a column can hold, and none may stop a query, since one odd row would then stop a release.
 */
export interface CellDialect {
  /** A text, without the character NUL, as a constant. */
  literal(text: string): string;
  /** A number as a constant double, exactly; infinities too. */
  double(value: number): string;
  /** Any plain value as its text, which compares by its bytes; days in ISO form, times in UTC. */
  text(value: string): string;
  /** Any number as the nearest double. */
  toDouble(value: string): string;
  /** Whether a whole text matches a regular expression of literals, classes, groups, alternatives and `?`, `+`, `*`, `{m,n}`. */
  matches(text: string, pattern: string): string;
  /** A text without the white space at its ends, as `String.prototype.trim` has it. */
  trim(text: string): string;
  /** The first characters of a text. */
  start(text: string, length: number): string;
  /** The double nearest to a text of the form `SHORT_NUMBER`, ... */
  shortDouble(text: string): string;
  /** ... and to one of the form `PLAIN_NUMBER`: infinite or zero beyond the doubles. Absent where the encoder is asked about such texts. */
  readonly plainDouble?: ((text: string) => string) | undefined;
  isNaN(double: string): string;
  /** The whole double at or below a double; `floor` unless told. */
  readonly floor?: ((double: string) => string) | undefined;
  /** The number that some texts stand for; NULL for another text, and for NULL. Absent where categories are looked up in another way. */
  readonly lookup?: ((text: string, numbers: ReadonlyMap<string, number>) => string) | undefined;
  /** How many of some edges, which ascend, a double has reached. Needed where arithmetic on doubles may stop a query, as an overflow does in some engines. */
  readonly reached?: ((double: string, edges: Float64Array) => string) | undefined;
  /** Days, in whatever way the engine holds them. */
  readonly day: {
    /** The day of a column of days or times; NULL where it is not in the years 1 to 9999. */
    ofColumn(column: string): string;
    /** The day that a text of the form `DAY` names; NULL where there is none such in the years 1 to 9999. */
    ofText(text: string): string;
    /** Its year, quarter and month, and the days since 1970-01-01, as integers. */
    year(day: string): string;
    quarter(day: string): string;
    month(day: string): string;
    number(day: string): string;
  };
  /** An integer that is never NULL, put between two constants of 31 bits; absent where comparisons are as fast. */
  readonly clamped?: ((integer: string, least: number, greatest: number) => string) | undefined;
  /** The quotient of whole numbers that are not negative, without its fraction. */
  quotient(a: string, b: string): string;
}

/** An engine that counts where the rows are: it computes every cell by itself. */
export interface Dialect extends CellDialect {
  /** What users call the engine. */
  readonly name: string;
  /** A name as it stands, whatever its letters. */
  identifier(name: string): string;
  /** A whole number, not negative, as an integer that holds so many bits of it. */
  toInteger(value: string, bits: 8 | 16 | 32 | 64): string;
  readonly plainDouble: (text: string) => string;
  readonly lookup: (text: string, numbers: ReadonlyMap<string, number>) => string;
  /** The number at a place, counted from 0, of a list that is a constant. */
  at(place: string, numbers: ArrayLike<number>): string;
  /** Texts one after the other. */
  joined(texts: readonly string[]): string;
  /** SHA-256 of a text, in any form that can be sorted. */
  sha256(text: string): string;
  /** Put after a subquery so that its expressions are computed once for a row, where the engine would write them out again at every use. */
  readonly fence: string;
  /** Joint tables that one query may count. */
  readonly setsAtOnce: number;
  /**
   * Whether a GROUP BY for each joint table, which reads the columns of its attributes alone, is faster than one pass over the rows for all of them, where
   * cells are cheap: an engine that keeps columns apart, and multiplies the rows for a pass.
   */
  readonly isFasterApart?: boolean | undefined;
  /**
   * Whether it is faster then to count rows by their small integers as they stand, and to compute cells of these numbers: an engine that computes a column for every step of an expression.
   * One that compiles the steps into one loop computes cells in passing.
   */
  readonly countsFirst?: boolean | undefined;
  /**
   * The query for the numbers of rows by each of some columns of integers: the place of the column among them, its value, the number of rows. The columns
   * hold no NULL; were there one against all promises, it must come out as no cell. `from` is a subquery.
   */
  counts(columns: readonly JointColumn[], from: string): string;
}

/** A column of cells of a joint table. The last number of 16 bits is never a cell. */
export interface JointColumn {
  readonly name: string;
  readonly bits: 16 | 32 | 64;
}

/** The whole double at or below one. */
export const floorSql = ({ floor }: CellDialect, x: string): string => floor?.(x) ?? `floor(${x})`;

/** Digits with few places: what nearly all numbers look like. */
export const SHORT_NUMBER = '-?[0-9]{1,18}(\\.[0-9]{0,18})?';
/** The form of `plainNumber`. */
export const PLAIN_NUMBER = '[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?';
/** A day of a calendar with years of four digits, ... */
export const DAY = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
/** ... and with a time and a zone, as `parseDay` has it. */
export const DAY_AND_TIME = `${DAY}([T ]([01][0-9]|2[0-3]):[0-5][0-9](:([0-5][0-9]|60)([.,][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?`;
