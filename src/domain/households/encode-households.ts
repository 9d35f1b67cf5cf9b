import { type Domain, project } from '../domain.js';
import { type Columns, columnOf, encodeTable } from '../encode/encode-table.js';
import { InputError } from '../input-error.js';
import type { Outside } from '../schema/outside.js';
import { codeColumn, type Table } from '../table.js';
import type { KeyedTable } from './household-table.js';
import { joinHouseholds } from './join-households.js';
import { levelsOf } from './levels-of.js';
import { settles } from './settles.js';

/** Raw values of persons, with what is said of their households beside them or in a table of its own that shares the key. */
export interface HouseholdColumns {
  readonly persons: Columns;
  readonly households?: Columns | undefined;
}

/**
 * Raw values as rows of persons and the key of each, compared as text. Hand the result to `memorySource`, or, if it is public, to `groupHouseholds`.
 * `outside` says what becomes of values that the schema does not name, and whether rows that do not join stop it.
 */
export const encodeHouseholds = (
  domain: Domain,
  key: string,
  { persons, households }: HouseholdColumns,
  options: { readonly outside?: Outside | undefined } = {},
): KeyedTable => {
  const { household, person } = levelsOf(domain);
  const part = (attributes: readonly string[], columns: Columns): KeyedTable => ({
    table: encodeTable(project(domain, attributes), columns, options),
    keys: keysOf(columns, key),
  });
  if (households === undefined) {
    const { table, keys } = part([...household, ...person], persons);
    return { table: addSize(domain, table), keys };
  }
  return joinHouseholds(
    domain,
    within('households table', () => part(household, households)),
    within('persons table', () => part(person, persons)),
    { dropStrays: settles(options.outside) },
  );
};

/** Codes that were read without the number of persons, with a column for it that `groupHouseholds` fills. */
export const addSize = (domain: Domain, { length, columns }: Table): Table => {
  const all = [...columns];
  const place = domain.attributes.findIndex(({ name }) => name === domain.households?.size);
  if (place >= 0) all.splice(place, 0, codeColumn(domain.attributes[place].size, length));
  return { domain, length, columns: all };
};

const keysOf = (columns: Columns, key: string): string[] =>
  Array.from(columnOf(columns, key), (value, row) => {
    const text = value === null || value === undefined ? '' : String(value);
    if (text === '')
      throw new InputError(
        `column ${JSON.stringify(key)}, row ${row + 1}: empty, and every row must say which household it is of; fill it in or leave the row out`,
      );
    return text;
  });

/** Says which of the two tables an error is about. */
const within = <T>(table: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${table}, ${error.message}`);
    throw error;
  }
};
