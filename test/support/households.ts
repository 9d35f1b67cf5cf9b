import type { Domain } from '../../src/domain/domain.js';
import { groupHouseholds } from '../../src/domain/households/group-households.js';
import type { HouseholdTable } from '../../src/domain/households/household-table.js';
import type { Query } from '../../src/query/query.js';
import { plainDomain, plainTable, type Row } from './plain-source.js';
import { rowAnswers } from './row-answers.js';

/** A household: one cell for each household attribute (its number of persons apart), and one row of cells for each person. */
export interface Household {
  readonly own: Row;
  readonly persons: readonly Row[];
}

/** A domain of household attributes g, h, ..., person attributes a, b, ... and, if wanted, the household's number of persons, `size`. */
export const householdDomain = (
  household: readonly number[],
  person: readonly number[],
  maxSize: number,
  withSize = false,
): Domain => {
  const shared = household.map((_, i) => String.fromCharCode(103 + i));
  const own = person.map((_, i) => String.fromCharCode(97 + i));
  const size = withSize ? { size: 'size' } : {};
  return {
    ...plainDomain(
      [...household, ...person, ...(withSize ? [maxSize] : [])],
      [...shared, ...own, ...(withSize ? ['size'] : [])],
    ),
    households: { attributes: withSize ? [...shared, 'size'] : shared, maxSize, ...size },
  };
};

/** Rows of persons with what is said of their household, in the order of the domain. */
export const rowsOf = (domain: Domain, { own, persons }: Household): Row[] =>
  persons.map((person) => [...own, ...person, ...(domain.households?.size === undefined ? [] : [persons.length - 1])]);

/** The answers of a query on some households, by its definition. */
export const householdAnswers = (
  query: Query,
  domain: Domain,
  households: readonly Household[],
): Float64Array<ArrayBuffer> => {
  const attributes = query.kind === 'holding' ? query.attributes : [];
  const places = attributes.map((name) => domain.attributes.findIndex((attribute) => attribute.name === name));
  const sizes = places.map((place) => domain.attributes[place].size);
  const each = households.map((household) => {
    const rows = rowsOf(domain, household);
    if (query.kind !== 'holding')
      return rows
        .map((row) => rowAnswers(query, domain, row))
        .reduce((sum, row) => sum.map((value, i) => value + row[i]));
    // For every cell: is there one person whose row has all of its codes?
    const cells = sizes.reduce((product, size) => product * size, 1);
    return Array.from({ length: cells }, (_, cell) => {
      let rest = cell;
      const codes: number[] = [];
      for (let i = sizes.length - 1; i >= 0; i--) {
        codes.unshift(rest % sizes[i]);
        rest = Math.floor(rest / sizes[i]);
      }
      return Number(rows.some((row) => places.every((place, i) => row[place] === codes[i])));
    });
  });
  const empty =
    query.kind === 'holding'
      ? sizes.reduce((a, b) => a * b, 1)
      : rowAnswers(
          query,
          domain,
          domain.attributes.map(() => 0),
        ).length;
  const sum = new Float64Array(empty);
  for (const answers of each) for (let i = 0; i < sum.length; i++) sum[i] += answers[i];
  return query.kind === 'holding' && query.cell !== undefined ? sum.slice(query.cell, query.cell + 1) : sum;
};

/** All rows over attributes of these sizes. */
export const allCodes = (sizes: readonly number[]): Row[] =>
  sizes.reduce<Row[]>(
    (rows, size) => rows.flatMap((row) => Array.from({ length: size }, (_, code) => [...row, code])),
    [[]],
  );

/** Every household that there can be: persons are not ordered, because no query sees their order. */
export const allHouseholds = (
  household: readonly number[],
  person: readonly number[],
  maxSize: number,
): Household[] => {
  const kinds = allCodes(person);
  const grow = (from: number, left: number): Row[][] =>
    left === 0 ? [[]] : kinds.slice(from).flatMap((kind, i) => grow(from + i, left - 1).map((rest) => [kind, ...rest]));
  const members = Array.from({ length: maxSize }, (_, size) => grow(0, size + 1)).flat();
  return allCodes(household).flatMap((own) => members.map((persons) => ({ own, persons })));
};

/** The table of some households, each with its persons one after the other. */
export const householdTable = (domain: Domain, households: readonly Household[]): HouseholdTable => {
  const rows = households.flatMap((household) => rowsOf(domain, household));
  const keys = households.flatMap(({ persons }, id) => persons.map(() => id));
  return groupHouseholds({ table: plainTable(domain, rows), keys });
};
