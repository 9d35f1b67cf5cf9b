import type { Unit } from '../query/unit.js';

/** Hears of a value of a column: its text ('' where it is empty), and how many rows and units have it. */
export type VisitValue = (text: string, rows: number, units: number) => void;

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
  /** Number of rows within the units' bounds. */
  rows(): Promise<number>;
  readonly seeded: boolean;
  isOpen(): boolean;
  /** Later calls reject. */
  close(): Promise<void>;
}
