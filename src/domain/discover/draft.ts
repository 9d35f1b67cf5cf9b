import type { AttributeSpec, CommonSpec, DateSpec, NumericSpec } from '../attribute/attribute.js';
import type { ConstraintSpec } from '../constraints/constraint.js';
import type { ColumnFormat } from '../format/column-format.js';
import type { Schema } from '../schema/schema.js';

/** The word in a schema file for what is to be asked of the private table, with noise and for a part of the budget. */
export const asked = 'discover';

/** A column whose values are asked for. */
export interface AskedCategory extends CommonSpec {
  readonly type: 'category';
  readonly values: typeof asked;
  /** What rare values are merged into; "other" unless told. */
  readonly other?: string | undefined;
}

/** A column of numbers whose bins are asked for, within a range where one is given. */
export interface AskedNumeric extends CommonSpec {
  readonly type: NumericSpec['type'];
  readonly edges: typeof asked;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** At most so many bins; 16 unless told. */
  readonly bins?: number | undefined;
  /** How its values are written, where that was found out. */
  readonly written?: ColumnFormat | undefined;
  /** Between what they lie, from and up to, where that was found out; of dates by the numbers of their days. */
  readonly within?: readonly [number, number] | undefined;
}

/** A column of dates whose first and last cell are asked for. */
export interface AskedDate extends CommonSpec {
  readonly type: 'date';
  readonly edges: typeof asked;
  readonly by?: DateSpec['by'] | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  /** How its values are written, where that was found out. */
  readonly written?: ColumnFormat | undefined;
  /** Between what they lie, from and up to, where that was found out; of dates by the numbers of their days. */
  readonly within?: readonly [number, number] | undefined;
}

/** A column of which nothing is known: what its values look like is asked first. */
export interface AskedColumn extends CommonSpec {
  readonly type: typeof asked;
}

/** What is asked of a column whose type is known. */
export type AskedSpec = AskedCategory | AskedNumeric | AskedDate;

/** A column that is never released. */
export interface LeftOut {
  readonly name: string;
  /** Free text, who a row is about, or what joins it to another table. */
  readonly type: 'text' | 'id' | 'key';
  readonly description?: string | undefined;
}

export const leftOutTypes = ['text', 'id', 'key'] as const;

/** One column of a draft. */
export type DraftAttribute = AttributeSpec | AskedSpec | AskedColumn | LeftOut;

/** A column that others are said to determine, by a map that nobody wrote down: it is asked for, and kept where it is safe. */
export interface AskedMap {
  readonly from: string | readonly string[];
  readonly to: string;
  readonly map: typeof asked;
  readonly description?: string | undefined;
}

/** A schema in which some things are still to be asked for. */
export interface Draft extends Omit<Schema, 'attributes' | 'constraints'> {
  readonly attributes: readonly DraftAttribute[];
  readonly constraints?: readonly (ConstraintSpec | AskedMap)[] | undefined;
}

export const isAskedMap = (constraint: ConstraintSpec | AskedMap): constraint is AskedMap =>
  'map' in constraint && constraint.map === asked;

/** The maps that are to be asked for. */
export const askedMaps = ({ constraints = [] }: Pick<Draft, 'constraints'>): AskedMap[] =>
  constraints.filter(isAskedMap);

/** The columns that determine, and the one that they do. */
export const columnsOfMap = ({ from, to }: Pick<AskedMap, 'from' | 'to'>): readonly [...string[], string] => [
  ...[from].flat(),
  to,
];

export const isLeftOut = (spec: DraftAttribute): spec is LeftOut =>
  leftOutTypes.some((type) => type === (spec.type as string));

export const isAskedColumn = (spec: DraftAttribute): spec is AskedColumn => spec.type === asked;

export const isAsked = (spec: DraftAttribute): spec is AskedSpec =>
  ('values' in spec && spec.values === asked) || ('edges' in spec && spec.edges === asked);

/** Whether anything is left to ask. */
export const asksAnything = (draft: Pick<Draft, 'attributes' | 'constraints'>): boolean =>
  draft.attributes.some((spec) => isAsked(spec) || isAskedColumn(spec)) || askedMaps(draft).length > 0;

/** Whether values may have to be asked for, for which the budget needs a delta. */
export const asksValues = ({ attributes }: Pick<Draft, 'attributes'>): boolean =>
  attributes.some((spec) => isAskedColumn(spec) || (isAsked(spec) && spec.type === 'category'));
