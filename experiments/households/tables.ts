import type { HouseholdTable } from '../../src/domain/households/household-table.js';
import type { Schema } from '../../src/domain/schema/schema.js';
import { chosenHouseholds, householdCount } from '../../src/model/households/household-support.js';
import { householdWorkload } from '../../src/query/workload/household-workload.js';
import type { Workload } from '../../src/query/workload/workload.js';
import { seeded } from '../../src/random/seeded.js';
import { shuffle } from '../../src/random/shuffle.js';
import { householdsSchema, loadHouseholds, smallHouseholdsSchema } from '../data/load-households.js';

/** The travel survey, whole or made small so that all possible households can be listed. */
export const householdTables = ['small', 'whole'] as const;
export type HouseholdTableName = (typeof householdTables)[number];

const schemas: Readonly<Record<HouseholdTableName, Schema>> = { small: smallHouseholdsSchema, whole: householdsSchema };

/** One half of a table that is taken for private, one for public, and what is asked. */
export interface Halves {
  readonly priv: HouseholdTable;
  readonly pub: HouseholdTable;
  /** Both queries of all sets of three attributes. */
  readonly workload: Workload;
}

/** Splits a table by households, always in the same way. */
export const loadHalves = async (data: string, name: HouseholdTableName): Promise<Halves> => {
  const all = await loadHouseholds(data, schemas[name]);
  const order = shuffle(
    Array.from({ length: householdCount(all) }, (_, h) => h),
    seeded(2022),
  );
  const middle = Math.ceil(order.length / 2);
  return {
    priv: chosenHouseholds(all, order.slice(0, middle)),
    pub: chosenHouseholds(all, order.slice(middle)),
    workload: householdWorkload(all.domain, { attributes: 3 }),
  };
};
