import type { Random } from '../random/random.js';
import { seeded } from '../random/seeded.js';
import { drawHousehold, type Household } from './household.js';
import type { Person } from './person.js';

/** A value as a file would hold it: dates are ISO texts, null is an empty field. */
export type DemoValue = string | number | boolean | null;

/** Columns by name in table order, all of one length. */
export type DemoColumns = Readonly<Record<string, readonly DemoValue[]>>;

export interface DemoCountry {
  /** One row a household, with its key `household_id`. */
  readonly households: DemoColumns;
  /** One row a person, with `person_id` and the key of the household. */
  readonly persons: DemoColumns;
}

export interface DemoOptions {
  readonly seed: number;
  /** Number of households; persons are about 2.3 times as many. */
  readonly households: number;
  readonly year: number;
  /** Number of the first household, 0 by default: large countries can be made in slices that join to the same whole. */
  readonly first?: number | undefined;
}

/**
 * Households and persons of a country that does not exist, the same for the same options. Each household has a random stream of its own,
 * so a smaller country is the beginning of a larger one. About 5 microseconds a person.
 */
export const demoCountry = ({ seed, households, year, first = 0 }: DemoOptions): DemoCountry => {
  const householdRows = writers(householdColumns);
  const personRows = writers(personColumns);
  for (let index = first; index < first + households; index++) {
    const household = drawHousehold(streamOf(seed, year, index), year);
    const row: Row = { id: 1_000_000 + index, household, person: household.persons[0], position: 0 };
    householdRows.add(row);
    household.persons.forEach((person, position) => {
      row.person = person;
      row.position = position;
      personRows.add(row);
    });
  }
  return { households: householdRows.columns, persons: personRows.columns };
};

/** One row a person with everything of its household beside: the table of one-level releases. Copies every value. */
export const flatDemo = ({ households, persons }: DemoCountry): DemoColumns => {
  // Persons stand in the order of their households.
  let at = 0;
  const home = persons.household_id.map((id) => {
    while (households.household_id[at] !== id) at++;
    return at;
  });
  const joined = Object.entries(households).map(([name, column]) => [name, home.map((row) => column[row])] as const);
  return { ...persons, ...Object.fromEntries(joined) };
};

interface Row {
  readonly id: number;
  readonly household: Household;
  person: Person;
  position: number;
}

type Readers = Readonly<Record<string, (row: Row) => DemoValue>>;

const key = { household_id: ({ id }: Row) => id };

const householdColumns: Readers = {
  ...key,
  region: ({ household }) => household.region,
  district: ({ household }) => household.district,
  settlement: ({ household }) => household.settlement,
  dwelling: ({ household }) => household.dwelling,
  tenure: ({ household }) => household.tenure,
  moved_in: ({ household }) => household.movedIn,
  household_size: ({ household }) => household.persons.length,
  children: ({ household }) => household.persons.filter(({ age }) => age < 18).length,
};

const personColumns: Readers = {
  person_id: ({ id, position }) => `P${id}-${position + 1}`,
  ...key,
  relation: ({ person }) => person.relation,
  age: ({ person }) => person.age,
  sex: ({ person }) => person.sex,
  education: ({ person }) => person.education,
  activity: ({ person }) => person.activity,
  occupation: ({ person }) => person.occupation,
  income: ({ person }) => person.income,
  insurance: ({ person }) => person.insurance,
  disability: ({ person }) => person.disability,
  commute: ({ person }) => person.commute,
};

const writers = (readers: Readers) => {
  const columns = Object.fromEntries(Object.keys(readers).map((name) => [name, [] as DemoValue[]]));
  const pairs = Object.entries(readers).map(([name, read]) => ({ column: columns[name], read }));
  const add = (row: Row) => {
    for (const { column, read } of pairs) column.push(read(row));
  };
  return { columns, add };
};

/** The random stream of one household: 32 bits tell its number, the 21 bits above them a hash of seed and year. */
const streamOf = (seed: number, year: number, index: number): Random => {
  let hash = Math.imul(seed | 0, 0x85ebca6b) ^ Math.imul(Math.floor(seed / 0x100000000) | 0, 0x27d4eb2f) ^ year;
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return seeded((index >>> 0) + ((hash ^ (hash >>> 16)) >>> 11) * 0x100000000);
};
