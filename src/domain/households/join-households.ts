import { type Domain, indexOf } from '../domain.js';
import { InputError } from '../input-error.js';
import { type CodeColumn, codeColumn } from '../table.js';
import type { KeyedTable } from './household-table.js';

/** What becomes of rows that do not join. */
export interface JoinOptions {
  /** Whether persons without a household are left out and the first of several rows of a household stands; otherwise either is an error. */
  readonly dropStrays?: boolean | undefined;
  /** What the two tables are called in errors. */
  readonly shown?: { readonly households: string; readonly persons: string } | undefined;
}

/**
 * Persons with what is said of their households, by the keys of both: a row for each person, in the order given. Households with nobody are not in it. The
 * column that is the number of persons, if the domain has one, is left for `groupHouseholds` to fill.
 */
export const joinHouseholds = (
  domain: Domain,
  households: KeyedTable,
  persons: KeyedTable,
  { dropStrays = false, shown = { households: 'households table', persons: 'persons table' } }: JoinOptions = {},
): KeyedTable => {
  const rowOf = new Map<string | number | bigint, number>();
  for (let row = 0; row < households.keys.length; row++) {
    const key = households.keys[row];
    if (!rowOf.has(key)) rowOf.set(key, row);
    else if (!dropStrays)
      throw new InputError(
        `${shown.households}, row ${row + 1}: must have a key that no row above has; keep one row a household`,
      );
  }
  const rows: number[] = [];
  const homes: number[] = [];
  for (let row = 0; row < persons.keys.length; row++) {
    const home = rowOf.get(persons.keys[row]);
    if (home === undefined) {
      if (dropStrays) continue;
      throw new InputError(
        `${shown.persons}, row ${row + 1}: must have a key of the ${shown.households}; add the household or drop the row`,
      );
    }
    rows.push(row);
    homes.push(home);
  }
  const shared = new Set(domain.households?.attributes);
  const columns = domain.attributes.map(({ name, size }): CodeColumn => {
    const column = codeColumn(size, rows.length);
    if (name === domain.households?.size) return column;
    const [{ table }, places] = shared.has(name) ? [households, homes] : [persons, rows];
    const codes = table.columns[indexOf(table.domain, name)];
    for (let i = 0; i < places.length; i++) column[i] = codes[places[i]];
    return column;
  });
  return { table: { domain, length: rows.length, columns }, keys: rows.map((row) => persons.keys[row]) };
};
