import type { AttributeSpec } from '../attribute/attribute.js';
import type { ConstraintSpec } from '../constraints/constraint.js';
import type { TableFormat } from '../format/table-format.js';
import type { SizeRule } from '../households/household-table.js';

/** Where a schema came from. There is no kind for "the private table", and there must never be one. */
export type Origin =
  | { readonly kind: 'declared' }
  /** Asked of a private table, with noise and for a part of a budget: as safe to publish as the release it was paid for with. */
  | { readonly kind: 'discovered' }
  | {
      readonly kind: 'public-table';
      /** Name of the public file, without its folder. */
      readonly file: string;
      /** Number of public rows it was learned from. */
      readonly rows: number;
      /** What that file was, byte for byte as it lay there: a release refuses a schema learned from the private file itself. */
      readonly digest?:
        | {
            readonly bytes: number;
            /** 64 hexadecimal digits. */
            readonly sha256: string;
          }
        | undefined;
    };

/** A schema file, format 1: what columns may hold, said without looking at private rows. */
export interface Schema {
  /** Address of the JSON Schema, so that editors complete the file. */
  readonly $schema?: string | undefined;
  /** The format's version. */
  readonly surmise: 1;
  readonly origin: Origin;
  /** How the private file is written, where that is not plainly. */
  readonly table?: TableFormat | undefined;
  readonly attributes: readonly AttributeSpec[];
  /** Whom the guarantee protects when not a row: all rows with one value of the column `id`, at most `maxRecords` kept. */
  readonly unit?: { readonly id: string; readonly maxRecords: number } | undefined;
  readonly twoLevel?: TwoLevelSpec | undefined;
  /** Public knowledge about what rows can be, which every released row keeps. */
  readonly constraints?: readonly ConstraintSpec[] | undefined;
}

/** Households and their persons, in one table or in two. Attributes that are not listed under `household` describe persons. */
export interface TwoLevelSpec {
  /** The column, in both tables if there are two, that says which household a person belongs to. */
  readonly key: string;
  /** Names of the attributes that describe households. */
  readonly household: readonly string[];
  /** No household has more persons: `rule` says what becomes of one that does. One with nobody is left out. */
  readonly maxSize: number;
  /** `exclude` (unless told) leaves larger households out; `trim` keeps a random `maxSize` of their persons. */
  readonly rule?: SizeRule | undefined;
  /** The name of one more attribute of households, the number of their persons (as kept): made of the rows, in no file. */
  readonly size?: string | undefined;
}
