import type { Random } from '../../random/random.js';
import { uniformInteger } from '../../random/uniform.js';
import { InputError } from '../input-error.js';
import type { Outside } from '../schema/outside.js';
import type { TwoLevelDomain } from '../schema/two-level-domain.js';
import { codeColumn, type Table } from '../table.js';
import { type Columns, columnOf, encodeTable } from './encode-table.js';

/** Households and their persons as cell numbers. */
export interface TwoLevelTable {
  readonly domain: TwoLevelDomain;
  /** One row for each household, in the order given. */
  readonly households: Table;
  /** One row for each person kept, sorted by household, in the order given within it. */
  readonly persons: Table;
  /** Household h has the persons offsets[h] up to offsets[h + 1]: between 0 and maxSize of them. */
  readonly offsets: Uint32Array;
}

/**
 * Joins two tables by their key (compared as text) and encodes them. A household with more than `maxSize` persons keeps a
 * uniformly random `maxSize` of them: this bounds what a household contributes, so `random` must be cryptographic
 * wherever privacy depends on it. A key that is empty, twice among the households, or unknown to them is an `InputError`
 * that names the row.
 */
export const encodeTwoLevel = (
  domain: TwoLevelDomain,
  households: Columns,
  persons: Columns,
  random: Random,
  options: { readonly outside?: Outside | undefined } = {},
): TwoLevelTable => {
  const householdTable = within('households', () => encodeTable(domain.household, households, options));
  const allPersons = within('persons', () => encodeTable(domain.person, persons, options));
  const rowOf = householdRows(
    domain.key,
    within('households', () => columnOf(households, domain.key)),
  );
  const homes = homesOf(
    domain.key,
    within('persons', () => columnOf(persons, domain.key)),
    rowOf,
  );

  const starts = new Uint32Array(householdTable.length + 1);
  for (const home of homes) starts[home + 1]++;
  for (let h = 0; h < householdTable.length; h++) starts[h + 1] += starts[h];
  const sorted = new Uint32Array(homes.length);
  const next = starts.slice();
  for (let row = 0; row < homes.length; row++) sorted[next[homes[row]]++] = row;

  const offsets = new Uint32Array(householdTable.length + 1);
  const kept = new Uint32Array(homes.length);
  let count = 0;
  for (let h = 0; h < householdTable.length; h++) {
    // Selection sampling: each of the `left` persons to come is kept with probability room / left.
    let room = domain.maxSize;
    for (let at = starts[h]; at < starts[h + 1]; at++) {
      const left = starts[h + 1] - at;
      if (room < left && uniformInteger(random, left) >= room) continue;
      kept[count++] = sorted[at];
      room--;
    }
    offsets[h + 1] = count;
  }
  return { domain, households: householdTable, persons: takeRows(allPersons, kept.subarray(0, count)), offsets };
};

const keyText = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

const householdRows = (key: string, values: ArrayLike<unknown>): Map<string, number> => {
  const rows = new Map<string, number>();
  for (let row = 0; row < values.length; row++) {
    const text = keyText(values[row]);
    if (text === '') throw keyError('households', key, row, 'must not be empty');
    if (rows.has(text))
      throw keyError('households', key, row, 'must differ from all rows above; keep one row a household');
    rows.set(text, row);
  }
  return rows;
};

const homesOf = (key: string, values: ArrayLike<unknown>, rowOf: ReadonlyMap<string, number>): Uint32Array => {
  const homes = new Uint32Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const text = keyText(values[row]);
    if (text === '') throw keyError('persons', key, row, 'must not be empty');
    const home = rowOf.get(text);
    if (home === undefined)
      throw keyError('persons', key, row, 'is not in the households table; add the household or drop the row');
    homes[row] = home;
  }
  return homes;
};

const keyError = (table: string, key: string, row: number, rule: string): InputError =>
  new InputError(`${table} table, column ${JSON.stringify(key)}, row ${row + 1}: ${rule}`);

/** Says which of the two tables an error is about. */
const within = <T>(table: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${table} table, ${error.message}`);
    throw error;
  }
};

const takeRows = (table: Table, rows: Uint32Array): Table => ({
  domain: table.domain,
  length: rows.length,
  columns: table.columns.map((column, index) => {
    const taken = codeColumn(table.domain.attributes[index].size, rows.length);
    for (let i = 0; i < rows.length; i++) taken[i] = column[rows[i]];
    return taken;
  }),
});
