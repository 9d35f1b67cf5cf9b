import type { Unit } from '../query/unit.js';

/** Hears of a value of a column: its text ('' where it is empty), and how many rows have it. */
export type VisitValue = (text: string, rows: number) => void;

/** Hears of a value of one of several columns: its column by number, its text, and the sum of what it counts for the units that have it. */
export type VisitShared = (column: number, text: string, weight: number) => void;

/** Hears of values that stand together in rows, one of each column that was asked about, and in how many. */
export type VisitTogether = (texts: readonly string[], rows: number) => void;

/** Values of several columns, counted together: what a value counts for a unit hangs on how many the unit has in all. */
export interface SharedValues {
  readonly columns: readonly {
    readonly name: string;
    /** Values that nobody counts: they are known. */
    readonly known: readonly string[];
  }[];
  /** What each value counts for a unit with so many different ones that are not known: `weights[n - 1]`. */
  readonly weights: readonly number[];
}

/**
 * Someone who can go through the values of private columns as they stand in the table, before a schema says what they may be. All of it is
 * exact, so only a session may hold one; what it tells of values is for acts that add noise and let through what passes.
 */
export interface RawSource {
  readonly unit: Unit;
  /** As `PrivateSource` has it: the same table under the same name. */
  readonly dataset: string;
  readonly columns: readonly string[];
  /** Every different value of a column once, in one order whatever that of the rows. Rows beyond the unit's bound are left out. */
  values(column: string, visit: VisitValue, options?: { signal?: AbortSignal | undefined }): Promise<void>;
  /** Every different value of the columns that is not known, once, likewise. A unit counts once for each of its values, whatever the number of rows. */
  shared(asked: SharedValues, visit: VisitShared, options?: { signal?: AbortSignal | undefined }): Promise<void>;
  /** Every different combination of values of some columns once, likewise, with its number of rows. */
  together(
    columns: readonly string[],
    visit: VisitTogether,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<void>;
  /** Number of rows within the units' bounds. */
  rows(): Promise<number>;
  readonly seeded: boolean;
  isOpen(): boolean;
  /** Later calls reject. */
  close(): Promise<void>;
}
