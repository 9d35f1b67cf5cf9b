import type { Attribute } from '../attribute/attribute.js';
import { constraintsAmong } from '../constraints/constraints-among.js';
import { type Domain, indexOf, project } from '../domain.js';
import { type CodeColumn, codeColumn, type Table } from '../table.js';
import type { HouseholdTable } from './household-table.js';
import { levelsOf } from './levels-of.js';

/** Something for the table of households and something for that of their persons. */
export interface OfBoth<T> {
  readonly households: T;
  readonly persons: T;
}

/**
 * The domains of two tables that share a key, whole numbers from `from` to `to`: in front of what is said of households, their number of persons among it, and of
 * what is said of persons.
 */
export const keyedDomains = (domain: Domain, key: string, from: number, to: number): OfBoth<Domain> => {
  const spec = { name: key, type: 'integer', min: from, max: to } as const;
  const first: Attribute = { name: key, size: to - from + 1, spec };
  const keyed = (names: readonly string[]): Domain => {
    const constraints = constraintsAmong(domain, names);
    const { attributes } = project(domain, names);
    return { attributes: [first, ...attributes], ...(constraints.length === 0 ? {} : { constraints }) };
  };
  return { households: keyed(domain.households?.attributes ?? []), persons: keyed(levelsOf(domain).person) };
};

/**
 * Households as two tables with fresh keys, from 1 in the order of the households: a key says who lives together and nothing else. The key is a column like the
 * others here, so that both are written and read as any table is.
 */
export const keyedTables = (table: HouseholdTable, key: string): OfBoth<Table> => {
  const { domain, offsets, length } = table;
  const homes = offsets.length - 1;
  const { households, persons } = keyedDomains(domain, key, 1, Math.max(1, homes));
  const rowsOf = (of: Domain, rows: number, pick: (target: CodeColumn, source?: CodeColumn) => void): Table => ({
    domain: of,
    length: rows,
    columns: of.attributes.map(({ name, size }, i) => {
      const column = codeColumn(size, rows);
      pick(column, i === 0 ? undefined : table.columns[indexOf(domain, name)]);
      return column;
    }),
  });
  return {
    households: rowsOf(households, homes, (target, source) => {
      for (let h = 0; h < homes; h++) target[h] = source === undefined ? h : source[offsets[h]];
    }),
    persons: rowsOf(persons, length, (target, source) => {
      if (source !== undefined) target.set(source);
      else for (let h = 0; h < homes; h++) target.fill(h, offsets[h], offsets[h + 1]);
    }),
  };
};
