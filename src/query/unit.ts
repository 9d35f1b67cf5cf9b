import { InputError } from '../domain/input-error.js';

/**
 * Whom the guarantee protects: one row; everything that one value of an id column contributes; a household with all its persons; or what is
 * said of one person while everything else stays as it is. `maxRecords` is how many rows that is at most: the source has cut them when it
 * loaded them.
 */
export type Unit =
  | { readonly kind: 'row'; readonly maxRecords: 1 }
  | { readonly kind: 'id'; readonly column: string; readonly maxRecords: number }
  | { readonly kind: 'household'; readonly column: string; readonly maxRecords: number }
  | { readonly kind: 'person'; readonly maxRecords: 1 };

/** Throws an `InputError` when a unit has no bound that could be kept. */
export const checkUnit = ({ maxRecords }: Pick<Unit, 'maxRecords'>): void => {
  if (!Number.isSafeInteger(maxRecords) || maxRecords < 1)
    throw new InputError(`unit.maxRecords: must be a positive integer, got ${maxRecords}`);
};

/** Something for each kind of unit. */
type UnitCases<T> = { readonly [Kind in Unit['kind']]: (unit: Extract<Unit, { readonly kind: Kind }>) => T };

/** What the case of a unit's kind makes of it. */
export const byUnit = <T>(unit: Unit, cases: UnitCases<T>): T => (cases[unit.kind] as (unit: Unit) => T)(unit);

/** Whom a unit protects, in few words: `a row`. */
export const unitText = (unit: Unit): string =>
  byUnit(unit, {
    row: () => 'a row',
    id: ({ column, maxRecords }) => `values of ${JSON.stringify(column)} with at most ${maxRecords} rows each`,
    household: ({ column, maxRecords }) => `households by ${JSON.stringify(column)} of at most ${maxRecords} persons`,
    person: () => 'the attributes of a person, households as they are',
  });
