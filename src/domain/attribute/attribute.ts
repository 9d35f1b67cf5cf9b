/**
 * What a column may hold, as declared in a schema: plain data, never read off a private table. The cells of an
 * attribute are numbered: the declared values or bins in order, then `other` if declared, then null if declared.
 */
export type AttributeSpec = CategorySpec | BooleanSpec | NumericSpec | DateSpec;

/** The types of attributes; `kinds` has what there is to know of each. */
export type AttributeType = AttributeSpec['type'];

/** The declarations of one type. */
export type SpecOf<T extends AttributeType> = AttributeSpec & { readonly type: T };

/** What a declaration of any type may say. */
export interface CommonSpec {
  readonly name: string;
  /** Empty values get a cell of their own, the last one. Without it an empty value is an error. */
  readonly null?: boolean | undefined;
  /** Texts that mean "empty" in this column besides the empty field, such as "N" or "NA". */
  readonly nullValues?: readonly string[] | undefined;
  readonly description?: string | undefined;
}

/** A column of named values; what is not named goes to `other` where there is one. */
export interface CategorySpec extends CommonSpec {
  readonly type: 'category';
  /** Compared with the column's values as text. */
  readonly values: readonly string[];
  /** The label of the cell for every value not listed; without it such a value is an error. */
  readonly other?: string | undefined;
  /** True when the order of the values means something (then prefix and range queries make sense). */
  readonly ordered?: boolean | undefined;
}

/** A column of yes and no. */
export interface BooleanSpec extends CommonSpec {
  readonly type: 'boolean';
}

/**
 * Which ends have one cell more, for all that lies beyond the first or the last declared bin or period. Without it what lies beyond
 * is counted in the outermost cell, and nothing tells that it does not belong there.
 */
export type OpenEnds = 'below' | 'above' | 'both';

/**
 * Bins of numbers. Bin i holds edges[i] <= x < edges[i+1]; values outside clamp to the first or last bin unless that end is `open`. Either
 * `edges`, or `min` and `max` with `bins` equal bins (`scale: 'log'`: equal ratios; min > 0), or, for integers only,
 * `min` and `max` alone: one cell for each integer from min to max inclusive.
 */
export interface NumericSpec extends CommonSpec {
  readonly type: 'integer' | 'number';
  readonly edges?: readonly number[] | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly bins?: number | undefined;
  readonly scale?: 'linear' | 'log' | undefined;
  readonly open?: OpenEnds | undefined;
}

/** Calendar cells from the one holding `min` to the one holding `max` (ISO dates); outside clamps unless that end is `open`. */
export interface DateSpec extends CommonSpec {
  readonly type: 'date';
  readonly by: 'year' | 'quarter' | 'month' | 'week' | 'day';
  readonly min: string;
  readonly max: string;
  readonly open?: OpenEnds | undefined;
}

/** An attribute of a domain: its declaration, and the number of its cells that follows from it. */
export interface Attribute {
  readonly name: string;
  /** Number of cells, including `other` and null. */
  readonly size: number;
  readonly spec: AttributeSpec;
}
