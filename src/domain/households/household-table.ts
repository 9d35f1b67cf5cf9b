import type { Table } from '../table.js';

/** Whose each row is: any values, compared as a Map compares its keys. */
export type Keys = ArrayLike<string | number | bigint>;

/** Rows of persons, and the household of each. */
export interface KeyedTable {
  readonly table: Table;
  readonly keys: Keys;
}

/**
 * Persons with what is said of their households, those of a household one after the other. Its domain declares the households; as a plain table it has a
 * row for each person.
 */
export interface HouseholdTable extends Table {
  /** Household h has the rows offsets[h] up to offsets[h + 1]: 1 to `maxSize` of them. */
  readonly offsets: Uint32Array;
}

/** Whether the persons of a table were put together by household. */
export const isHouseholdTable = (table: Table): table is HouseholdTable => 'offsets' in table;

/** What becomes of a household with more persons than the domain allows: it is left out, or keeps a random choice of them. */
export type SizeRule = (typeof sizeRules)[number];
/** Every such rule. */
export const sizeRules = ['exclude', 'trim'] as const;
